// What others wrote may hold a line break, a command for the terminal or a sign that turns text around.
// None of them may be obeyed.

const OBEYED = /[\p{Cc}\p{Bidi_Control}]/gu

export const printable = (text: string): string => text.replace(OBEYED, '\ufffd')

/** In one line, and the same to whoever parses it: JSON itself leaves most of them as they are. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    OBEYED,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
