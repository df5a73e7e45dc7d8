// Package everything has every important construct.
package everything

import (
	"fmt"
	str "strings"
)

const one, two = 1, 2
const (
	a = iota
	b
)

var global map[string][]int = nil
var (
	x  = 1.5
	ch = make(chan int, 3)
)

type pair[T any] struct {
	left, right T `tag`
	next        *pair[T]
}
type shape interface {
	area(scale float64) float64
	fmt.Stringer
}
type alias = func(int, ...string) (int, error)

func (p *pair[T]) swap() { p.left, p.right = p.right, p.left }

func sum[T int | ~float64](values ...T) (total T, err error) {
	defer func() { recover() }()
	for i, v := range values {
		if i > 2 && !(v == 0) {
			continue
		} else if w := v + 1; w > 3 {
			break
		} else {
			total += v
		}
	}
	return total, nil
}

func main() {
	p := &pair[int]{left: one, right: 2}
	p.swap()
outer:
	for i := 0; i < 10; i++ {
		switch k := i % 3; {
		case k == 0, k == 1:
			goto done
		default:
			break outer
		}
	}
	var s any = str.ToUpper("x")
	switch t := s.(type) {
	case string:
		fmt.Println(t[1:], `raw
string`, 'c', len(global["k"]))
	}
	select {
	case n, ok := <-ch:
		_, _ = n, ok
	case ch <- 1:
	}
	go main()
done:
	total, _ := sum(1, 2)
	fmt.Println(total, a, b, two, x)
}
