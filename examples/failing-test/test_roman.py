"""Roman numerals, there and back: one of these tests fails."""

import string
import unittest

DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
STEPS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
         (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (1, "I")]


class NotRoman(ValueError):
    """What was read is no Roman numeral."""


def to_roman(number):
    """The numeral of a number from 1 to 3999."""
    if not 0 < number < 4000:
        raise ValueError(f"{number} has no numeral")
    numeral = ""
    for step, digits in STEPS:
        while number >= step:
            numeral += digits
            number -= step
    return numeral


def from_roman(numeral):
    """The number of a numeral; upper and lower case are the same."""
    total, last = 0, 0
    for digit in reversed(numeral.upper()):
        if digit not in DIGITS:
            raise NotRoman(numeral)
        value = DIGITS[digit]
        if value < last:
            total -= value
        else:
            total += value
            last = value
    return total


def page(number, width=8, right=False):
    """A page number as a preface has it."""
    text = to_roman(number).lower()
    return text.rjust(width) if right else text.ljust(width)


class FromRomanTest(unittest.TestCase):
    def setUp(self):
        self.known = {"I": 1, "XIV": 14, "MCMXCIX": 1999}

    def test_known_numerals_are_read(self):
        for numeral, number in self.known.items():
            with self.subTest(numeral=numeral):
                self.assertEqual(from_roman(numeral), number)

    def test_case_does_not_matter(self):
        self.assertEqual(from_roman("xiv"), from_roman("XIV"))

    def test_other_letters_are_refused(self):
        for letter in string.ascii_uppercase:
            if letter not in DIGITS:
                with self.assertRaises(NotRoman):
                    from_roman(letter)


class ToRomanTest(unittest.TestCase):
    def test_tens_and_hundreds_are_subtracted(self):
        self.assertEqual(to_roman(90), "XC")
        self.assertEqual(to_roman(444 - 4), "CDXL")

    def test_ones_are_subtracted(self):
        self.assertEqual(to_roman(9), "IX")
        self.assertEqual(to_roman(4), "IV")

    def test_there_are_limits(self):
        for number in (-1, 0, 4000):
            with self.assertRaises(ValueError):
                to_roman(number)


class PageTest(unittest.TestCase):
    def test_pages_are_aligned(self):
        self.assertEqual(page(7), "vii     ")
        self.assertEqual(page(2, width=4, right=True), "  ii")


if __name__ == "__main__":
    unittest.main()
