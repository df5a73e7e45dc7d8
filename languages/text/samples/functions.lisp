(define (square x) (* x x))

(define (sum-of-squares x y)
  (let ((a (square x))
        (b (square y)))
    (+ a b)))

(print (sum-of-squares 3 4) #\newline)
