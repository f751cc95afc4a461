// JSON as callers send it. A number too large for a double is Infinity after parsing, and refused as
// that; one too small would silently become 0, so it is made a number that is refused in the same way.

/** Where a number may be too small; nearly no text has any. */
const MAY_UNDERFLOW = /[eE]-\d*[1-9]\d{2}|0{300}/
const MORE_THAN_ZERO = /^-?[0.]*[1-9]/

/** Throws a SyntaxError. Numbers outside the double range are not finite. */
export const parseJson = (text: string): unknown =>
  MAY_UNDERFLOW.test(text) ? JSON.parse(text, withoutUnderflow) : JSON.parse(text)

function withoutUnderflow(_name: string, value: unknown, context?: { source?: string }): unknown {
  return value === 0 && MORE_THAN_ZERO.test(context?.source ?? '') ? Number.NaN : value
}
