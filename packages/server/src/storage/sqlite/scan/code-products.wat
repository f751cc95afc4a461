;; The inner loop of a search: the product of a query with many rows of codes. It is exact integer
;; arithmetic, so it gives what its twin in code-products.ts gives, bit for bit. A row is read once,
;; from front to back, 16 codes a step; the memory is what limits it.
(module
  (import "codes" "memory" (memory 1))

  ;; $rows: addresses of $count rows of $width signed bytes, a multiple of 16.
  ;; $query: $width signed 16-bit numbers. $products: where $count 32-bit sums go.
  (func (export "multiply")
    (param $rows i32) (param $count i32) (param $width i32) (param $query i32) (param $products i32)
    (local $last i32) (local $code i32) (local $end i32) (local $part i32)
    (local $low v128) (local $high v128)
    (local.set $last (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $last)))
        (local.set $code (i32.load (local.get $rows)))
        (local.set $end (i32.add (local.get $code) (local.get $width)))
        (local.set $part (local.get $query))
        (local.set $low (v128.const i64x2 0 0))
        (local.set $high (v128.const i64x2 0 0))
        (loop $next_codes
          (local.set $low (i32x4.add (local.get $low) (i32x4.dot_i16x8_s
            (v128.load8x8_s (local.get $code)) (v128.load (local.get $part)))))
          (local.set $high (i32x4.add (local.get $high) (i32x4.dot_i16x8_s
            (v128.load8x8_s offset=8 (local.get $code)) (v128.load offset=16 (local.get $part)))))
          (local.set $part (i32.add (local.get $part) (i32.const 32)))
          (local.set $code (i32.add (local.get $code) (i32.const 16)))
          (br_if $next_codes (i32.lt_u (local.get $code) (local.get $end))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (local.set $low (i32x4.add (local.get $low)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $low) (local.get $low))))
        (i32.store (local.get $products) (i32.add
          (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low))))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (br $next_row)))))
