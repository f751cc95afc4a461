-- Names are found by the signs of a keyboard (O’Brien by o'brien, Jean‑Luc by jean-luc), as
-- retrieval/fold.ts folds them now.
UPDATE entities SET name_folded =
  replace(replace(replace(replace(replace(replace(name_folded,
    '‘', ''''), '’', ''''), 'ʼ', ''''), '‐', '-'), '‒', '-'), '–', '-')
WHERE name_folded GLOB '*[‘’ʼ‐‒–]*';
