/**
 * Raised whenever texts are cut, prepared or taken into terms in another way than before. Pieces made the
 * old way stay usable; their store is told that `mnemograph reembed` would renew them.
 */
export const PIECES_VERSION = 14
