-- Names of which folding left nothing are found as they are, as retrieval/fold.ts keeps them now.
UPDATE entities SET name_folded = name WHERE trim(name_folded) = '';
