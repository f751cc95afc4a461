// What the console takes for an e-mail address. Whether it is anybody's shows only when a message arrives.

export const EMAIL_LENGTH_MAX = 254

/** No white space, nothing that stands round addresses where they are copied, no control character of a terminal. */
const CHARACTER = '[^\\s@<>,;\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]'
export const EMAIL_PATTERN = `^${CHARACTER}+@${CHARACTER}+$`

/** By characters, as the schema of the console's interface has it. */
export const isEmailAddress = (text: string): boolean =>
  [...text].length <= EMAIL_LENGTH_MAX && new RegExp(EMAIL_PATTERN, 'u').test(text)
