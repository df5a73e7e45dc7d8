/* Frees an element of a list before it prints it: an error for a sanitizer to report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = list;
    return node;
}
static int sum(const struct node *list) {
    int total = 0;
    for (; list; list = list->next) total += list->value;
    return total;
}
static struct node *drop(struct node *list, int value) {
    struct node **at = &list;
    while (*at) {
        struct node *node = *at;
        if (node->value == value) { *at = node->next; free(node); printf("dropped %d\n", node->value); }
        else at = &node->next;
    }
    return list;
}
static char *name(const char *first, const char *last) {
    char *text = malloc(strlen(first) + strlen(last) + 1);
    strcpy(text, first);
    strcat(text, " ");
    strcat(text, last);
    return text;
}
int main(int argc, char **argv) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) list = push(list, i * argc);
    if (argc > 1) { char *who = name(argv[0], argv[1]); puts(who); free(who); }
    list = drop(list, 3);
    printf("%d\n", sum(list));
    return 0;
}
