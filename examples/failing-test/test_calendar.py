"""A small booking calendar with its tests: one of them fails."""

import datetime
import re
import unittest

MINUTES = re.compile(r"(\d\d):(\d\d)$")


class Clash(Exception):
    """Two bookings of one room overlap."""


def minutes(text):
    """Minutes since midnight of a time such as 09:30."""
    match = MINUTES.match(text)
    if match is None:
        raise ValueError(f"not a time: {text}")
    hours, rest = int(match.group(1)), int(match.group(2))
    if hours > 24 or rest > 59:
        raise ValueError(f"not a time: {text}")
    return 60 * hours + rest


class Booking:
    """A room that is taken from one time to another."""

    def __init__(self, room, day, start, end, people=1):
        self.room = room
        self.day = day
        self.start = minutes(start)
        self.end = minutes(end)
        self.people = people

    def length(self):
        return self.end - self.start

    def overlaps(self, other):
        if self.room != other.room or self.day != other.day:
            return False
        return self.start <= other.end and other.start <= self.end


class Calendar:
    """All bookings, in the order in which they were made."""

    def __init__(self, rooms):
        self.rooms = dict(rooms)
        self.bookings = []

    def book(self, booking):
        if booking.people > self.rooms[booking.room]:
            raise ValueError(f"{booking.room} has only {self.rooms[booking.room]} seats")
        for other in self.bookings:
            if booking.overlaps(other):
                raise Clash(f"{booking.room} is taken")
        self.bookings.append(booking)
        return len(self.bookings)

    def of_day(self, day):
        return [b for b in self.bookings if b.day == day]

    def busy(self, room):
        return sum(b.length() for b in self.bookings if b.room == room)


TODAY = datetime.date(2024, 2, 29)
TOMORROW = TODAY + datetime.timedelta(days=1)


class TimeTest(unittest.TestCase):
    def test_minutes_are_counted_from_midnight(self):
        self.assertEqual(minutes("00:00"), 0)
        self.assertEqual(minutes("09:30"), 570)

    def test_what_is_no_time_is_refused(self):
        for text in ("9:30", "09:60", "25:00", ""):
            with self.subTest(text=text), self.assertRaises(ValueError):
                minutes(text)


class CalendarTest(unittest.TestCase):
    def setUp(self):
        self.calendar = Calendar({"attic": 4, "cellar": 20})
        self.first = Booking("attic", TODAY, "10:00", "11:00", people=3)
        self.calendar.book(self.first)

    def try_to_book(self, *args, **kwargs):
        try:
            return self.calendar.book(Booking(*args, **kwargs))
        except Clash as clash:
            self.fail(f"unexpected clash: {clash}")

    def test_rooms_do_not_disturb_each_other(self):
        self.assertEqual(self.try_to_book("cellar", TODAY, "10:30", "12:00"), 2)
        self.assertEqual(self.calendar.busy("attic"), 60)

    def test_days_do_not_disturb_each_other(self):
        self.try_to_book("attic", TOMORROW, "10:00", "11:00")
        self.assertEqual(self.calendar.of_day(TODAY), [self.first])

    def test_overlapping_bookings_clash(self):
        with self.assertRaises(Clash):
            self.calendar.book(Booking("attic", TODAY, "10:59", "12:00"))

    def test_one_booking_may_follow_another(self):
        self.try_to_book("attic", TODAY, "11:00", "12:00", people=2)
        self.assertEqual(self.calendar.busy("attic"), 120)

    def test_a_room_has_only_so_many_seats(self):
        with self.assertRaisesRegex(ValueError, "only 4 seats"):
            self.calendar.book(Booking("attic", TODAY, "12:00", "13:00", people=5))


if __name__ == "__main__":
    unittest.main()
