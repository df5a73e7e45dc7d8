# 1 "small.c"
# 1 "<built-in>"
# 1 "/usr/include/stddef.h" 1 3 4
typedef long unsigned int size_t;
# 2 "small.c" 2

extern int printf (const char *__restrict __format, ...) __attribute__ ((__format__ (__printf__, 1, 2)));
extern void *memcpy (void *__dest, const void *__src, size_t __n) __attribute__ ((__nothrow__));

int main (void)
{
  __asm__ volatile ("nop" : : "r" (1) : "memory");
  return printf ("%zu\n", sizeof (size_t));
}
