/* A tiny report writer: reads words from a fixed table, hashes them, and prints statistics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_SIZE 17
#define MAX_WORDS 32

struct entry {
    const char *word;
    unsigned hash;
    int count;
    struct entry *next;
};

struct table {
    struct entry *buckets[TABLE_SIZE];
    int used;
    int collisions;
};

struct statistics {
    int words;
    int letters;
    int vowels;
    int longest;
    double mean;
};

static const char *const words[] = {
    "gravel", "lantern", "caf\xc3\xa9", "harbour", "lantern", "na\xc3\xafve", "orbit",
    "gravel", "pebble",  "quarry",       "r\xc3\xa9sum\xc3\xa9", "signal", "orbit", "tundra",
};

static unsigned rotate(unsigned value, int by) { return (value << by) | (value >> (32 - by)); }

/* Wrong where char is signed: bytes above 127 become negative numbers. */
static unsigned hash_word(const char *word) {
    unsigned hash = 5381u;
    for (const char *p = word; *p != '\0'; p++) {
        hash = rotate(hash, 5) ^ (unsigned)(*p);
        hash *= 33u;
    }
    return hash;
}

static int is_vowel(char c) {
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return 1;
    default:
        return 0;
    }
}

static void *must_allocate(size_t size) {
    void *memory = calloc(1, size);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static struct entry *find(struct table *table, const char *word, unsigned hash) {
    struct entry *entry = table->buckets[hash % TABLE_SIZE];
    while (entry != NULL) {
        if (entry->hash == hash && strcmp(entry->word, word) == 0) return entry;
        entry = entry->next;
    }
    return NULL;
}

static void insert(struct table *table, const char *word) {
    unsigned hash = hash_word(word);
    struct entry *entry = find(table, word, hash);
    if (entry != NULL) {
        entry->count++;
        return;
    }
    entry = must_allocate(sizeof *entry);
    entry->word = word;
    entry->hash = hash;
    entry->count = 1;
    struct entry **bucket = &table->buckets[hash % TABLE_SIZE];
    if (*bucket != NULL) table->collisions++;
    entry->next = *bucket;
    *bucket = entry;
    table->used++;
}

static struct statistics measure(const char *const *list, int count) {
    struct statistics result = {0, 0, 0, 0, 0.0};
    for (int i = 0; i < count; i++) {
        int length = (int)strlen(list[i]);
        result.words++;
        result.letters += length;
        for (int k = 0; k < length; k++) {
            if (is_vowel(list[i][k])) result.vowels++;
        }
        if (length > result.longest) result.longest = length;
    }
    if (result.words > 0) result.mean = (double)result.letters / result.words;
    return result;
}

static void print_table(const struct table *table) {
    for (int i = 0; i < TABLE_SIZE; i++) {
        const struct entry *entry = table->buckets[i];
        if (entry == NULL) continue;
        printf("bucket %2d:", i);
        for (; entry != NULL; entry = entry->next) printf(" %s(%d)", entry->word, entry->count);
        printf("\n");
    }
}

static void release(struct table *table) {
    for (int i = 0; i < TABLE_SIZE; i++) {
        struct entry *entry = table->buckets[i];
        while (entry != NULL) {
            struct entry *next = entry->next;
            free(entry);
            entry = next;
        }
        table->buckets[i] = NULL;
    }
}

int main(void) {
    struct table table;
    int count = (int)(sizeof words / sizeof words[0]);
    memset(&table, 0, sizeof table);
    if (count > MAX_WORDS) count = MAX_WORDS;
    for (int i = 0; i < count; i++) insert(&table, words[i]);
    struct statistics statistics = measure(words, count);
    printf("%d words, %d letters, %d vowels\n", statistics.words, statistics.letters, statistics.vowels);
    printf("longest %d, mean %.2f\n", statistics.longest, statistics.mean);
    printf("%d different, %d collisions\n", table.used, table.collisions);
    print_table(&table);
    release(&table);
    return 0;
}
