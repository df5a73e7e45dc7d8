/* Plans the shifts of a small team over a year and prints how many days each person works. */
#include <stdio.h>
#include <string.h>

enum kind { DAY, NIGHT, FREE, KINDS };

struct date {
    int year;
    int month;
    int day;
};

struct person {
    const char *name;
    int hours[KINDS];
    int weight;
};

static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_in(int year, int month) {
    if (month == 2 && is_leap(year)) return 29;
    return lengths[month - 1];
}

static struct date next_day(struct date date) {
    date.day++;
    if (date.day > days_in(date.year, date.month)) {
        date.day = 1;
        date.month++;
        if (date.month > 12) {
            date.month = 1;
            date.year++;
        }
    }
    return date;
}

static int day_of_year(struct date date) {
    int sum = date.day;
    for (int month = 1; month < date.month; month++) sum += days_in(date.year, month);
    return sum;
}

/* Sakamoto's method: 0 is Sunday. */
static int weekday(struct date date) {
    static const int offsets[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    int year = date.year;
    if (date.month < 3) year--;
    return (year + year / 4 - year / 100 + year / 400 + offsets[date.month - 1] + date.day) % 7;
}

/* How many people share a shift. Meant to be at least one; on the 366th day it is none. */
static int crew(struct date date, int people) {
    int left = 366 - day_of_year(date);
    int most = people + 1;
    if (left < most) most = left;
    return most > people ? people : most;
}

static enum kind kind_of(struct date date, int index) {
    int day = weekday(date);
    if (day == 0) return FREE;
    if ((day_of_year(date) + index) % 3 == 0) return NIGHT;
    return (day + index) % 2 == 0 ? DAY : FREE;
}

static void assign(struct person *people, int count, struct date date) {
    int share = 24 / crew(date, count);
    for (int i = 0; i < count; i++) {
        enum kind kind = kind_of(date, i);
        switch (kind) {
        case DAY:
        case NIGHT:
            people[i].hours[kind] += share;
            break;
        case FREE:
            people[i].hours[FREE] += 24;
            break;
        default:
            break;
        }
    }
}

static int total(const struct person *person) {
    int sum = 0;
    for (int kind = DAY; kind < FREE; kind++) sum += person->hours[kind];
    return sum * person->weight / 100;
}

static void sort(struct person *people, int count) {
    for (int i = 1; i < count; i++) {
        struct person moved = people[i];
        int k = i;
        while (k > 0 && total(&people[k - 1]) < total(&moved)) {
            people[k] = people[k - 1];
            k--;
        }
        people[k] = moved;
    }
}

static void plan(struct person *people, int count, int year) {
    struct date date = {year, 1, 1};
    while (date.year == year) {
        assign(people, count, date);
        date = next_day(date);
    }
}

int main(void) {
    struct person people[] = {
        {"Ada", {0, 0, 0}, 100},
        {"Brook", {0, 0, 0}, 80},
        {"Cleo", {0, 0, 0}, 100},
        {"Dara", {0, 0, 0}, 50},
    };
    int count = (int)(sizeof people / sizeof people[0]);
    for (int year = 2021; year <= 2026; year++) {
        for (int i = 0; i < count; i++) memset(people[i].hours, 0, sizeof people[i].hours);
        plan(people, count, year);
        sort(people, count);
        printf("%d:", year);
        for (int i = 0; i < count; i++) printf(" %s %d", people[i].name, total(&people[i]));
        printf("\n");
    }
    return 0;
}
