;; The inner loops of a search. All is arithmetic of whole numbers, or of 64-bit numbers in a fixed
;; order, so that it gives what its twins in plain-kernel.ts give, bit for bit. Each loop reads what it
;; needs once, from front to back; the memory is what limits it. kernel.ts has the layout of chunks and the
;; units of all numbers.
(module
  (import "codes" "memory" (memory 1 65536 shared))

  ;; Makes $count bytes zero. For shared memory the engine's own `fill` goes byte by byte.
  (func (export "clear") (param $at i32) (param $count i32)
    (memory.fill (local.get $at) (i32.const 0) (local.get $count)))

  ;; Reads the next 64 rows into the cache. They lie far from each other, and are looked for side by
  ;; side: with this the products of scattered rows take half of the time. Returns a number made of them, so that no
  ;; compiler passes it over.
  (func $fetch (param $rows i32) (param $last i32) (param $width i32) (result i32)
    (local $next i32) (local $code i32) (local $end i32) (local $sum i32)
    (local.set $next (i32.add (local.get $rows) (i32.const 256)))
    (if (i32.lt_u (local.get $next) (local.get $last)) (then (local.set $last (local.get $next))))
    (loop $next_row
      (local.set $code (i32.load (local.get $rows)))
      (local.set $end (i32.add (local.get $code) (local.get $width)))
      (loop $next_line
        (local.set $sum (i32.xor (local.get $sum) (i32.load (local.get $code))))
        (local.set $code (i32.add (local.get $code) (i32.const 64)))
        (br_if $next_line (i32.lt_u (local.get $code) (local.get $end))))
      (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
      (br_if $next_row (i32.lt_u (local.get $rows) (local.get $last))))
    (local.get $sum))

  ;; The product of a query with one row. One after the other, so that the memory is read from front to
  ;; back: four rows side by side take half of the time again where they are not in the cache.
  ;; $code: $width signed bytes, a multiple of 16. $query: as many signed 16-bit numbers.
  (func $multiply_row (param $code i32) (param $width i32) (param $query i32) (result i32)
    (local $end i32) (local $low v128) (local $high v128)
    (local.set $end (i32.add (local.get $code) (local.get $width)))
    (loop $next_codes
      (local.set $low (i32x4.add (local.get $low) (i32x4.dot_i16x8_s
        (v128.load8x8_s (local.get $code)) (v128.load (local.get $query)))))
      (local.set $high (i32x4.add (local.get $high) (i32x4.dot_i16x8_s
        (v128.load8x8_s offset=8 (local.get $code)) (v128.load offset=16 (local.get $query)))))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (local.set $code (i32.add (local.get $code) (i32.const 16)))
      (br_if $next_codes (i32.lt_u (local.get $code) (local.get $end))))
    (local.set $low (i32x4.add (local.get $low) (local.get $high)))
    (local.set $low (i32x4.add (local.get $low)
      (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $low) (local.get $low))))
    (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low))))

  ;; The products of a query with rows of bytes.
  ;; $rows: addresses of $count rows of $width signed bytes, a multiple of 16.
  ;; $query: $width signed 16-bit numbers. $products: where $count 32-bit sums go.
  (func (export "multiplyBytes")
    (param $rows i32) (param $count i32) (param $width i32) (param $query i32) (param $products i32)
    (local $last i32)
    (local.set $last (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $last)))
        (i32.store (local.get $products)
          (call $multiply_row (i32.load (local.get $rows)) (local.get $width) (local.get $query)))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (br $next_row))))

  ;; The cosines of all rows of some chunks, and the owners of those that are strong enough, or near
  ;; enough to be the same text.
  ;;   cosine = product * the row's scale * $scale
  ;;   strength = $base + $ofCommonness * commonness + $ofCosine * cosine + $unit * the owner's points
  ;; $unknown stands for the first two where the commonness is not a number. A row whose scale is not a
  ;; number reaches nothing.
  ;; $chunks: addresses of $count chunks of 16 rows, of $width signed bytes each, a multiple of 16.
  ;; $query: $width signed 16-bit numbers. $points: 16 bits an owner.
  ;; $cosines: where the cosines go, 64 bits a row. $found: where the owners go, 32 bits each. Returns
  ;; where the next one would go.
  (func (export "reach")
    (param $chunks i32) (param $count i32) (param $width i32) (param $query i32) (param $points i32)
    (param $scale f64) (param $ofCosine f64) (param $ofCommonness f64)
    (param $base f64) (param $unknown f64) (param $unit f64) (param $least f64) (param $near f64)
    (param $cosines i32) (param $found i32) (result i32)
    (local $last i32) (local $chunk i32) (local $code i32) (local $row i32) (local $owner i32)
    (local $cosine f64) (local $commonness f64)
    (local.set $last (i32.add (local.get $chunks) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_chunk
        (br_if $done (i32.ge_u (local.get $chunks) (local.get $last)))
        (local.set $chunk (i32.load (local.get $chunks)))
        (local.set $code (i32.add (local.get $chunk) (i32.const 192)))
        (local.set $row (i32.const 0))
        (loop $next_row
          (local.set $owner (i32.load offset=128 (i32.add (local.get $chunk) (local.get $row))))
          (local.set $commonness (f64.promote_f32
            (f32.load offset=64 (i32.add (local.get $chunk) (local.get $row)))))
          (local.set $cosine (f64.mul
            (f64.mul
              (f64.convert_i32_s
                (call $multiply_row (local.get $code) (local.get $width) (local.get $query)))
              (f64.promote_f32 (f32.load (i32.add (local.get $chunk) (local.get $row)))))
            (local.get $scale)))
          (local.set $code (i32.add (local.get $code) (local.get $width)))
          (f64.store (local.get $cosines) (local.get $cosine))
          (local.set $cosines (i32.add (local.get $cosines) (i32.const 8)))
          (if
            (i32.or
              (f64.ge (local.get $cosine) (local.get $near))
              (f64.ge
                (f64.add
                  (f64.add
                    (select
                      (f64.add (local.get $base)
                        (f64.mul (local.get $ofCommonness) (local.get $commonness)))
                      (local.get $unknown)
                      (f64.eq (local.get $commonness) (local.get $commonness)))
                    (f64.mul (local.get $ofCosine) (local.get $cosine)))
                  (f64.mul (local.get $unit) (f64.convert_i32_s (i32.load16_s
                    (i32.add (local.get $points) (i32.shl (local.get $owner) (i32.const 1)))))))
                (local.get $least)))
            (then
              (i32.store (local.get $found) (local.get $owner))
              (local.set $found (i32.add (local.get $found) (i32.const 4)))))
          (local.set $row (i32.add (local.get $row) (i32.const 4)))
          (br_if $next_row (i32.lt_u (local.get $row) (i32.const 64))))
        (local.set $chunks (i32.add (local.get $chunks) (i32.const 4)))
        (br $next_chunk)))
    (local.get $found))

  ;; The same for rows of half bytes, which are 0 to 15. Of each 16 bytes the lower halves stand for
  ;; the first 16 axes, the upper halves for the next 16. $width: bytes of a row, a multiple of 16;
  ;; the query has twice as many numbers.
  (func (export "multiplyHalves")
    (param $rows i32) (param $count i32) (param $width i32) (param $query i32) (param $products i32)
    (local $last i32) (local $fetched i32) (local $code i32) (local $end i32) (local $part i32)
    (local $both v128) (local $lower v128) (local $upper v128) (local $one v128) (local $other v128)
    (local.set $last (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $fetched (local.get $rows))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $last)))
        (if (i32.ge_u (local.get $rows) (local.get $fetched)) (then
          (i32.store (local.get $products) (call $fetch (local.get $rows) (local.get $last) (local.get $width)))
          (local.set $fetched (i32.add (local.get $rows) (i32.const 256)))))
        (local.set $code (i32.load (local.get $rows)))
        (local.set $end (i32.add (local.get $code) (local.get $width)))
        (local.set $part (local.get $query))
        (local.set $one (v128.const i64x2 0 0))
        (local.set $other (v128.const i64x2 0 0))
        (loop $next_codes
          (local.set $both (v128.load (local.get $code)))
          (local.set $lower (v128.and (local.get $both) (i8x16.splat (i32.const 15))))
          (local.set $upper (i8x16.shr_u (local.get $both) (i32.const 4)))
          (local.set $one (i32x4.add (local.get $one) (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_u (local.get $lower)) (v128.load (local.get $part)))))
          (local.set $other (i32x4.add (local.get $other) (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_u (local.get $lower)) (v128.load offset=16 (local.get $part)))))
          (local.set $one (i32x4.add (local.get $one) (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_u (local.get $upper)) (v128.load offset=32 (local.get $part)))))
          (local.set $other (i32x4.add (local.get $other) (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_u (local.get $upper)) (v128.load offset=48 (local.get $part)))))
          (local.set $part (i32.add (local.get $part) (i32.const 64)))
          (local.set $code (i32.add (local.get $code) (i32.const 16)))
          (br_if $next_codes (i32.lt_u (local.get $code) (local.get $end))))
        (local.set $one (i32x4.add (local.get $one) (local.get $other)))
        (local.set $one (i32x4.add (local.get $one)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $one) (local.get $one))))
        (i32.store (local.get $products) (i32.add
          (i32x4.extract_lane 0 (local.get $one)) (i32x4.extract_lane 1 (local.get $one))))
        (local.set $products (i32.add (local.get $products) (i32.const 4)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (br $next_row))))

  ;; Adds to the 16-bit numbers at $differing how many signs of each row differ from those of the
  ;; query: 384 of them, whose words stay in registers. $signs: $count rows, $width bytes apart.
  (func (export "countDiffering")
    (param $signs i32) (param $count i32) (param $width i32) (param $query i32) (param $differing i32)
    (local $end i32) (local $sum i64)
    (local $word0 i64) (local $word1 i64) (local $word2 i64) (local $word3 i64) (local $word4 i64) (local $word5 i64)
    (local.set $word0 (i64.load offset=0 (local.get $query)))
    (local.set $word1 (i64.load offset=8 (local.get $query)))
    (local.set $word2 (i64.load offset=16 (local.get $query)))
    (local.set $word3 (i64.load offset=24 (local.get $query)))
    (local.set $word4 (i64.load offset=32 (local.get $query)))
    (local.set $word5 (i64.load offset=40 (local.get $query)))
    (local.set $end (i32.add (local.get $differing) (i32.shl (local.get $count) (i32.const 1))))
    (loop $next_row
      (local.set $sum (i64.load16_u (local.get $differing)))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt
        (i64.xor (i64.load offset=0 (local.get $signs)) (local.get $word0)))))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt
        (i64.xor (i64.load offset=8 (local.get $signs)) (local.get $word1)))))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt
        (i64.xor (i64.load offset=16 (local.get $signs)) (local.get $word2)))))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt
        (i64.xor (i64.load offset=24 (local.get $signs)) (local.get $word3)))))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt
        (i64.xor (i64.load offset=32 (local.get $signs)) (local.get $word4)))))
      (local.set $sum (i64.add (local.get $sum) (i64.popcnt
        (i64.xor (i64.load offset=40 (local.get $signs)) (local.get $word5)))))
      (i64.store16 (local.get $differing) (local.get $sum))
      (local.set $signs (i32.add (local.get $signs) (local.get $width)))
      (local.set $differing (i32.add (local.get $differing) (i32.const 2)))
      (br_if $next_row (i32.lt_u (local.get $differing) (local.get $end)))))

  ;; What the rows of a chunk have to say, estimated from the signs of their vectors. Rows that reach
  ;; $least are appended at $found, two 32-bit numbers each: place, counted from $first, and value.
  ;; Returns where the next one would go.
  ;;   value = points + (((whole - each * differing - more * marked) * factor
  ;;           + straight * constant - typical * commonness) >> 12)
  ;; `differing` counts the signs that differ from the query's, `marked` those among the marked axes.
  ;; These are looked at only where the value reaches $near with `whole_coarse - coarse * differing` in
  ;; place of the first sum.
  ;; $chunk: with room for $room rows, a multiple of 4, of which $count are looked at; $width, the bytes of a
  ;; row's signs, is a multiple of 48. $query: signs, then marks. $points: those of the first row of the chunk.
  ;; $differing: what countDiffering has found, with room for a multiple of 4 rows. It is used up: rows that
  ;; reach $near are listed there. What lies behind what is found is used up too, as far as $count rows would go.
  ;; No branch depends on what a row has: where a tenth of all rows reach $near, the processor guesses wrong
  ;; so often that it takes longer than to count.
  (func (export "estimate")
    (param $chunk i32) (param $room i32) (param $count i32) (param $first i32) (param $width i32)
    (param $query i32) (param $points i32) (param $differing i32)
    (param $whole i32) (param $each i32) (param $more i32) (param $whole_coarse i32) (param $coarse i32)
    (param $straight i32) (param $typical i32) (param $near i32) (param $least i32) (param $found i32) (result i32)
    (local $constants i32) (local $commonness i32) (local $signs i32) (local $row i32) (local $reaching i32) (local $value i32)
    (local $at i32) (local $list i32) (local $code i32) (local $end i32) (local $part i32) (local $mark i32) (local $word i64) (local $all i64) (local $marked i64)
    (local.set $constants (i32.add (local.get $chunk) (i32.shl (local.get $room) (i32.const 1))))
    (local.set $commonness (i32.add (local.get $constants) (i32.shl (local.get $room) (i32.const 1))))
    (local.set $signs (i32.add (local.get $chunk) (i32.mul (local.get $room) (i32.const 10))))
    (local.set $list (local.get $differing))
    (loop $next_rows
      (local.set $at (i32.shl (local.get $row) (i32.const 1)))
      (local.set $reaching (i32x4.bitmask (i32x4.ge_s
        (i32x4.add
          (v128.load16x4_s (i32.add (local.get $points) (local.get $at)))
          (i32x4.shr_s
            (i32x4.sub
              (i32x4.add
                (i32x4.mul
                  (v128.load16x4_s (i32.add (local.get $chunk) (local.get $at)))
                  (i32x4.sub (i32x4.splat (local.get $whole_coarse)) (i32x4.mul (i32x4.splat (local.get $coarse))
                    (v128.load16x4_u (i32.add (local.get $differing) (local.get $at))))))
                (i32x4.mul (i32x4.splat (local.get $straight))
                  (v128.load16x4_s (i32.add (local.get $constants) (local.get $at)))))
              (i32x4.mul (i32x4.splat (local.get $typical))
                (v128.load16x4_s (i32.add (local.get $commonness) (local.get $at)))))
            (i32.const 12)))
        (i32x4.splat (local.get $near)))))
      ;; Each of the four is written, and what does not reach is written over.
      (i32.store16 (local.get $list) (local.get $row))
      (local.set $list (i32.add (local.get $list)
        (i32.and (i32.shl (local.get $reaching) (i32.const 1)) (i32.const 2))))
      (i32.store16 (local.get $list) (i32.add (local.get $row) (i32.const 1)))
      (local.set $list (i32.add (local.get $list) (i32.and (local.get $reaching) (i32.const 2))))
      (i32.store16 (local.get $list) (i32.add (local.get $row) (i32.const 2)))
      (local.set $list (i32.add (local.get $list)
        (i32.and (i32.shr_u (local.get $reaching) (i32.const 1)) (i32.const 2))))
      (i32.store16 (local.get $list) (i32.add (local.get $row) (i32.const 3)))
      (local.set $list (i32.add (local.get $list)
        (i32.and (i32.shr_u (local.get $reaching) (i32.const 2)) (i32.const 2))))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (br_if $next_rows (i32.lt_u (local.get $row) (local.get $count))))
    (local.set $mark (i32.add (local.get $query) (local.get $width)))
    (block $done
      (loop $next_listed
        (br_if $done (i32.ge_u (local.get $differing) (local.get $list)))
        (local.set $row (i32.load16_u (local.get $differing)))
        ;; The last four may be more than there are.
        (br_if $done (i32.ge_u (local.get $row) (local.get $count)))
        (local.set $at (i32.shl (local.get $row) (i32.const 1)))
        (local.set $code (i32.add (local.get $signs) (i32.mul (local.get $row) (local.get $width))))
        (local.set $end (i32.add (local.get $code) (local.get $width)))
        (local.set $part (local.get $query))
        (local.set $all (i64.const 0))
        (local.set $marked (i64.const 0))
        (loop $next_part
          (local.set $word (i64.xor (i64.load offset=0 (local.get $code)) (i64.load offset=0 (local.get $part))))
          (local.set $all (i64.add (local.get $all) (i64.popcnt (local.get $word))))
          (local.set $marked (i64.add (local.get $marked) (i64.popcnt
            (i64.and (local.get $word) (i64.load offset=0 (local.get $mark))))))
          (local.set $word (i64.xor (i64.load offset=8 (local.get $code)) (i64.load offset=8 (local.get $part))))
          (local.set $all (i64.add (local.get $all) (i64.popcnt (local.get $word))))
          (local.set $marked (i64.add (local.get $marked) (i64.popcnt
            (i64.and (local.get $word) (i64.load offset=8 (local.get $mark))))))
          (local.set $word (i64.xor (i64.load offset=16 (local.get $code)) (i64.load offset=16 (local.get $part))))
          (local.set $all (i64.add (local.get $all) (i64.popcnt (local.get $word))))
          (local.set $marked (i64.add (local.get $marked) (i64.popcnt
            (i64.and (local.get $word) (i64.load offset=16 (local.get $mark))))))
          (local.set $word (i64.xor (i64.load offset=24 (local.get $code)) (i64.load offset=24 (local.get $part))))
          (local.set $all (i64.add (local.get $all) (i64.popcnt (local.get $word))))
          (local.set $marked (i64.add (local.get $marked) (i64.popcnt
            (i64.and (local.get $word) (i64.load offset=24 (local.get $mark))))))
          (local.set $word (i64.xor (i64.load offset=32 (local.get $code)) (i64.load offset=32 (local.get $part))))
          (local.set $all (i64.add (local.get $all) (i64.popcnt (local.get $word))))
          (local.set $marked (i64.add (local.get $marked) (i64.popcnt
            (i64.and (local.get $word) (i64.load offset=32 (local.get $mark))))))
          (local.set $word (i64.xor (i64.load offset=40 (local.get $code)) (i64.load offset=40 (local.get $part))))
          (local.set $all (i64.add (local.get $all) (i64.popcnt (local.get $word))))
          (local.set $marked (i64.add (local.get $marked) (i64.popcnt
            (i64.and (local.get $word) (i64.load offset=40 (local.get $mark))))))
          (local.set $part (i32.add (local.get $part) (i32.const 48)))
          (local.set $mark (i32.add (local.get $mark) (i32.const 48)))
          (local.set $code (i32.add (local.get $code) (i32.const 48)))
          (br_if $next_part (i32.lt_u (local.get $code) (local.get $end))))
        (local.set $mark (i32.add (local.get $query) (local.get $width)))
        (local.set $value (i32.add
          (i32.load16_s (i32.add (local.get $points) (local.get $at)))
          (i32.shr_s
            (i32.sub
              (i32.add
                (i32.mul
                  (i32.load16_s (i32.add (local.get $chunk) (local.get $at)))
                  (i32.sub (local.get $whole) (i32.add
                    (i32.mul (local.get $each) (i32.wrap_i64 (local.get $all)))
                    (i32.mul (local.get $more) (i32.wrap_i64 (local.get $marked))))))
                (i32.mul (local.get $straight)
                  (i32.load16_s (i32.add (local.get $constants) (local.get $at)))))
              (i32.mul (local.get $typical)
                (i32.load16_s (i32.add (local.get $commonness) (local.get $at)))))
            (i32.const 12))))
        (i32.store (local.get $found) (i32.add (local.get $first) (local.get $row)))
        (i32.store offset=4 (local.get $found) (local.get $value))
        (local.set $found (i32.add (local.get $found)
          (i32.shl (i32.ge_s (local.get $value) (local.get $least)) (i32.const 3))))
        (local.set $differing (i32.add (local.get $differing) (i32.const 2)))
        (br $next_listed)))
    (local.get $found))

  ;; Adds $weight to the points of each owner whose bit is set. $bits: $count bytes, for 8 owners each.
  (func (export "addPoints") (param $bits i32) (param $count i32) (param $weight i32) (param $points i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $bits) (local.get $count)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $bits) (local.get $end)))
        (v128.store (local.get $points) (i16x8.add_sat_s (v128.load (local.get $points)) (v128.and
          (i16x8.splat (local.get $weight))
          (i16x8.ne (v128.const i64x2 0 0) (v128.and
            (i16x8.splat (i32.load8_u (local.get $bits)))
            (v128.const i16x8 1 2 4 8 16 32 64 128))))))
        (local.set $points (i32.add (local.get $points) (i32.const 16)))
        (local.set $bits (i32.add (local.get $bits) (i32.const 1)))
        (br $next))))

  ;; Leaves out each owner whose bit is not set.
  (func (export "leaveOut") (param $bits i32) (param $count i32) (param $points i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $bits) (local.get $count)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $bits) (local.get $end)))
        (v128.store (local.get $points) (v128.bitselect
          (v128.load (local.get $points))
          (i16x8.splat (i32.const -32768))
          (i16x8.ne (v128.const i64x2 0 0) (v128.and
            (i16x8.splat (i32.load8_u (local.get $bits)))
            (v128.const i16x8 1 2 4 8 16 32 64 128)))))
        (local.set $points (i32.add (local.get $points) (i32.const 16)))
        (local.set $bits (i32.add (local.get $bits) (i32.const 1)))
        (br $next))))

  ;; Gives each row the points of its owner. $owners: 32 bits a row of a chunk, the owner's place
  ;; among all points. $first: the place of the first row.
  (func (export "spreadPoints") (param $owners i32) (param $count i32) (param $first i32) (param $points i32)
    (local $end i32) (local $to i32)
    (local.set $end (i32.add (local.get $owners) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $to (i32.add (local.get $points) (i32.shl (local.get $first) (i32.const 1))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $owners) (local.get $end)))
        (i32.store16 (local.get $to) (i32.load16_u (i32.add (local.get $points)
          (i32.shl (i32.load (local.get $owners)) (i32.const 1)))))
        (local.set $owners (i32.add (local.get $owners) (i32.const 4)))
        (local.set $to (i32.add (local.get $to) (i32.const 2)))
        (br $next)))))
