package main

import "fmt"

type Base[T any] struct{ kept T }

func (b *Base[T]) put(t T) { b.kept = t }

type Shop struct {
	Base[string]
	stock int
}

func twice(n int) int { return 2 * n }
func log(text string) { fmt.Printf("%s %d\n", text, 3) }
func (s *Shop) sell(count int, big bool) int {
	done := false
	left := s.stock
	left = left - count
	if !done {
		log("sold")
	}
	if check(left) {
		log("left")
	}
	for check(count) {
		log("again")
	}
	s.stock = twice(left)
	result := twice(3)
	log(name(result + 1))
	return result
}
func check(n int) bool { return n > 3 && n <= 9 }
func name(n int) string { return fmt.Sprint("a", n) }
