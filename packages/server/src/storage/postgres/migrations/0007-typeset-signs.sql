-- Names are found by the signs of a keyboard (O’Brien by o'brien, Jean‑Luc by jean-luc), as
-- retrieval/fold.ts folds them now. The owner's policies may show it nothing; this role looks at every space.
SET LOCAL ROLE mnemograph_maintenance;
UPDATE entities SET name_folded = translate(name_folded, '‘’ʼ‐‒–', '''''''---')
WHERE name_folded ~ '[‘’ʼ‐‒–]';
RESET ROLE;
