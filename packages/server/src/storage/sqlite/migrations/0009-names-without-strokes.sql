-- Names are found without strokes (Łódź by lodz) and by both letters of æ and œ, as retrieval/fold.ts
-- folds them now.
UPDATE entities SET name_folded =
  replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
  replace(replace(replace(replace(replace(replace(replace(replace(replace(name_folded,
    'ł', 'l'), 'ø', 'o'), 'đ', 'd'), 'ħ', 'h'), 'ŧ', 't'), 'ƀ', 'b'), 'ɨ', 'i'), 'ɍ', 'r'), 'ʉ', 'u'),
    'ȼ', 'c'), 'ǥ', 'g'), 'ƶ', 'z'), 'ɏ', 'y'), 'ᵽ', 'p'), 'ɇ', 'e'), 'ɉ', 'j'), 'ⱥ', 'a'),
    'æ', 'ae'), 'œ', 'oe')
WHERE name_folded GLOB '*[łøđħŧƀɨɍʉȼǥƶɏᵽɇɉⱥæœ]*';
