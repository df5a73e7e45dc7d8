/*
 * A small shop: reads orders, one a line, and prints what each of them costs.
 *
 *     7 3
 *     4 12
 *
 * The first number is the item's, the second says how many pieces. Orders of ten pieces or more
 * get the discount of the item's supplier.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_ORDERS 16
#define BULK 10

/* Who delivers an item, and what they grant on large orders. */
struct supplier {
    const char *name;
    const char *city;
    int discount; /* in percent */
};

/* What is for sale. */
struct item {
    int number;
    const char *name;
    const char *supplier;
    int price; /* in cents */
    int stock;
};

/* What a customer wants. */
struct order {
    int item;
    int count;
    int cost;
};

static struct supplier suppliers[] = {
    {"Adler", "Kassel", 5},
    {"Brandt & Co", "Ulm", 10},
    {"Cassini", "Torino", 15},
};

static struct item items[] = {
    {4, "rope", "Adler", 450, 100},
    {5, "bell", "Cassini", 1250, 40},
    {7, "lamp", "Brandt & Co", 2000, 60},
    {8, "stool", "Brandt & Co", 3900, 12},
};

static struct order orders[MAX_ORDERS];
static int order_count;

static struct supplier *find_supplier(const char *name) {
    for (size_t i = 0; i < LENGTH(suppliers); i++) {
        if (strcmp(suppliers[i].name, name) == 0) {
            return &suppliers[i];
        }
    }
    return NULL;
}

static struct item *find_item(int number) {
    for (size_t i = 0; i < LENGTH(items); i++) {
        if (items[i].number == number) {
            return &items[i];
        }
    }
    return NULL;
}

/* The price after the discount, in whole cents. */
static int discounted(int price, int percent) {
    int cents = price * (100 - percent);
    return (cents + 50) / 100;
}

static int unit_price(const struct item *item, int count) {
    int price = item->price;
    if (count >= BULK) {
        struct supplier *supplier = find_supplier(item->supplier);
        price = discounted(price, supplier->discount);
    }
    return price;
}

/* Takes the pieces out of stock. Returns 0 if there are not enough. */
static int deliver(struct order *order) {
    struct item *item = find_item(order->item);
    if (item == NULL) {
        fprintf(stderr, "no such item: %d\n", order->item);
        return 0;
    }
    if (item->stock < order->count) {
        fprintf(stderr, "only %d of %s left\n", item->stock, item->name);
        return 0;
    }
    item->stock -= order->count;
    order->cost = order->count * unit_price(item, order->count);
    return 1;
}

static int by_cost(const void *a, const void *b) {
    const struct order *x = a, *y = b;
    return (y->cost > x->cost) - (y->cost < x->cost);
}

static void report(void) {
    long total = 0;
    qsort(orders, order_count, sizeof(struct order), by_cost);
    for (int i = 0; i < order_count; i++) {
        const struct order *order = &orders[i];
        printf("%4d %4d %6d.%02d\n", order->item, order->count, order->cost / 100, order->cost % 100);
        total += order->cost;
    }
    long mean = total / order_count;
    printf("total %ld.%02ld, mean %ld.%02ld\n", total / 100, total % 100, mean / 100, mean % 100);
}

int main(void) {
    struct order *order = orders;
    while (order_count < MAX_ORDERS && scanf("%d %d", &order->item, &order->count) == 2) {
        if (deliver(order)) {
            order_count++;
            order++;
        }
    }
    report();
    return 0;
}
