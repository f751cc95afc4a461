-- Names are found without ð and þ (Guðrún by gudrun, Þór by thor), as retrieval/fold.ts folds them now.
UPDATE entities SET name_folded = replace(replace(name_folded, 'ð', 'd'), 'þ', 'th')
WHERE name_folded GLOB '*[ðþ]*';
