-- The capital ẞ is folded to ss, as ß always was. Before, it was left as ß, which stands in a folded
-- name for no other reason.
UPDATE entities SET name_folded = replace(name_folded, 'ß', 'ss') WHERE instr(name_folded, 'ß') > 0;
