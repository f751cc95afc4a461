// Which texts can be stored exactly, so that they come back as they were sent. Apart from the schemas,
// so that a command which only looks at a name need not load what checks by schema.

// NUL and halves of surrogate pairs do not survive every store and every encoding.
export const UNSTORABLE = '\\u0000\\ud800-\\udfff'

export const STORABLE_PATTERN = `^[^${UNSTORABLE}]*$`

/** Whether the text can be stored exactly: no NUL, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
