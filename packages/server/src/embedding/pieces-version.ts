/**
 * Raised whenever texts are cut or prepared in another way than before. Vectors made the old way
 * stay usable; their store is told that `mnemograph reembed` would renew them.
 */
export const PIECES_VERSION = 2
