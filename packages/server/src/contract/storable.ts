// Which texts can be stored exactly, so that they come back as they were sent. Apart from the schemas,
// so that a command which only looks at a name need not load what checks by schema.

// NUL and halves of surrogate pairs do not survive every store and every encoding.
export const UNSTORABLE = '\\u0000\\ud800-\\udfff'

// Written out instead of \s so that every engine that reads the OpenAPI document agrees on it.
export const WHITE_SPACE =
  '\\t\\n\\u000b\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'

export const STORABLE_PATTERN = `^[^${UNSTORABLE}]*$`

/** Whether the text can be stored exactly: no NUL, no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const BLANK = new RegExp(`^[${WHITE_SPACE}]*$`)

/** Whether the text says nothing. Not `trim`, to which U+0085 is no white space. */
export const isBlank = (text: string): boolean => BLANK.test(text)
