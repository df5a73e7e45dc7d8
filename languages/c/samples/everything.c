/* One of everything that C's grammar knows. */
#include <stdio.h>
#include "own.h"
#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef LIMIT
static int guarded;
#else
#error "no limit"
#endif

typedef unsigned long size;
typedef struct node { int value; struct node *next; unsigned flag : 1; } node;
enum color { RED, GREEN = 2, BLUE };
union u { int i; float f; };
struct pair { int first, second; } pairs[2] = { { 1, 2 }, { .first = 3 } };
extern const char *names[];
static volatile int counter = 0, *pointer = &counter;
int (*callback)(int, void *);

static inline int add(int a, int b)
{
    return a + b;
}

int old(a, b) int a; float b;
{
    return a;
}

void nothing(void);

int main(int argc, char **argv)
{
    int i, array[3][4] = { { 0 } };
    // a comment
    for (i = 0; i < LIMIT; i++) {
        if (i % 2 == 0)
            continue;
        else if (argc > 1)
            break;
    }
    while (i-- > 0)
        array[0][1] += add(i, (int) 2.5f);
    do {
        pairs[1].second = sizeof(int) << 2;
    } while (0);
    switch (argc) {
    case 1:
        counter = argv[0][0] == 'a' ? 1 : -1;
        break;
    case 2: {
        node n = { .value = 1 }, *p = &n;
        p->value ^= ~i & 0x1fUL;
        goto end;
    }
    default:
        ;
    }
    printf("%d %s\n", counter, "two" " strings");
end:
    return (nothing(), (struct pair) { 1, 2 }.first);
}
