;; Every construct that matters.
(module $m
  (type $unary (func (param i32) (result i32)))
  (type $pair (struct (field $first i32) (field $second (mut f64))))
  (rec (type $list (struct (field (ref null $list)))))
  (import "env" "log" (func $log (param i32)))
  (memory $heap 1 2)
  (table $slots 2 2 funcref)
  (tag $oops (param i32))
  (global $limit (mut i32) (i32.const -10))
  (global $pi f64 (f64.const 0x1.921fb6p+1))
  (data (i32.const 0) "\fc\02 text\80")
  (elem (i32.const 0) $twice $fold)
  (export "twice" (func $twice))
  (start $main)
  (func $twice (type $unary) (param $n i32) (result i32)
    (i32.mul (local.get $n) (i32.const 2))) (; a comment (; inside ;) another ;)
  (func $|odd|'name (result f32) (f32.const nan:0x200))
  (func $fold (export "fold") (param $n i32) (param $m i64) (result i32)
    (local $sum i32)
    (local $i i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $sum (i32.add (local.get $sum) (call $twice (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (if (i32.eqz (local.get $sum))
          (then (br $next))
          (else (call $log (local.get $sum)) (nop)))))
    (return (local.get $sum)))
  (func $flat (param i32) (result i32)
    local.get 0
    if (result i32)
      i32.const 1
    else
      unreachable
    end
    i32.load offset=4 align=1)
  (func $main
    (global.set $limit (call_indirect $slots (type $unary) (i32.const 3) (i32.const 0)))
    (drop (struct.get $pair $first (struct.new $pair (i32.const 1) (f64.const 2))))
    (try (do (throw $oops (i32.const 1))) (catch $oops (drop)))
    (i32.store (i32.const 0) (select (i32.const 1) (i32.const 2) (global.get $limit)))))
(assert_return (invoke "twice" (i32.const 2)) (i32.const 4))
