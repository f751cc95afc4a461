;; The products of a vector with many rows of bytes: the inner loop of commonness.ts. Sums of floats
;; depend on their order, which plain-products.ts says in TypeScript: the two agree bit for bit.
(module
  (memory (export "memory") 1)

  ;; $rows: $count rows of $width signed bytes, one behind the other; the width is a multiple of 16.
  ;; $vector: $width floats. $products: where $count floats go. Axes are added in sixteen sums.
  (func (export "multiply")
    (param $rows i32) (param $count i32) (param $width i32) (param $vector i32) (param $products i32)
    (local $last i32) (local $end i32) (local $part i32)
    (local $codes v128) (local $low v128) (local $high v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $last
      (i32.add (local.get $products) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $products) (local.get $last)))
        (local.set $a (v128.const i64x2 0 0))
        (local.set $b (v128.const i64x2 0 0))
        (local.set $c (v128.const i64x2 0 0))
        (local.set $d (v128.const i64x2 0 0))
        (local.set $part (local.get $vector))
        (local.set $end (i32.add (local.get $rows) (local.get $width)))
        (loop $next_codes
          (local.set $codes (v128.load (local.get $rows)))
          (local.set $low (i16x8.extend_low_i8x16_s (local.get $codes)))
          (local.set $high (i16x8.extend_high_i8x16_s (local.get $codes)))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul
            (v128.load (local.get $part))
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $low))))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul
            (v128.load offset=16 (local.get $part))
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $low))))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul
            (v128.load offset=32 (local.get $part))
            (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $high))))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul
            (v128.load offset=48 (local.get $part))
            (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $high))))))
          (local.set $part (i32.add (local.get $part) (i32.const 64)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $next_codes (i32.lt_u (local.get $rows) (local.get $end))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $products) (f32.add
          (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
          (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (br $next_row)))))
