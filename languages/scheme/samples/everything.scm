; Every construct that matters.
#| A comment
   of several lines |#
(define-module (sample everything)
  #:export (twice))
(use-modules (srfi srfi-1))

(define limit 10)
(define names '("one" "two" three))
(define (twice n) (* 2 n))
(define (sum . numbers)
  (fold + 0 numbers))
(define add (lambda (a b) (+ a b)))

(define-syntax unless-zero
  (syntax-rules ()
    ((_ n body ...) (if (zero? n) #f (begin body ...)))))

(define (count-down n)
  (let loop ((i n) (result '()))
    (cond
      ((zero? i) (reverse result))
      ((> i limit) => (lambda (x) x))
      (else (loop (- i 1) (cons i result))))))

(define (classify c)
  (case c
    ((#\a #\space) 'letter)
    ((1 2.5 #xff) 'number)
    (else `(other ,c ,@names))))

(let* ((a (twice 3)) (b (vector-ref #(1 2 3) 1)))
  (set! a (+ a b))
  (do ((i 0 (+ i 1))) ((= i 3) a)
    (display (list i (add i a) #;(hidden datum) #t)))
  (unless-zero a (display "text \"quoted\"\n")))

(call-with-current-continuation
  (lambda (k)
    (for-each (lambda (x) (if (not (string? x)) (k x))) names)))
