// Finds the numbers of a JSON text that are too small for a double, which the parser would turn into 0. It walks
// over whole bodies on the thread that answers, and to match and convert each number would take five times as
// long as parsing. So for nearly all numbers a look at the characters is enough: short, or without a large
// exponent.

/** What the parser takes for infinite. */
const TOO_LARGE = '1e999'
/** `1e-324`; and what is shorter than the other needs an exponent of three digits: with 99 it takes 224 zeros. */
const SHORTEST = 6
const LONG = 200
const LARGE_EXPONENT = /[eE]-\d{3}/
/** As JSON writes it: the parser refuses everything else. */
const NOT_ZERO = /^(?=-?[0.]*[1-9])-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

const QUOTE = '"'.charCodeAt(0)
const [MINUS, PLUS, POINT] = ['-'.charCodeAt(0), '+'.charCodeAt(0), '.'.charCodeAt(0)]
const [ZERO, NINE] = ['0'.charCodeAt(0), '9'.charCodeAt(0)]
const [SMALL_E, LARGE_E] = ['e'.charCodeAt(0), 'E'.charCodeAt(0)]

/** The text with each of them as one that is too large. Of what is no JSON it makes none. */
export function withoutUnderflow(text: string): string {
  let checked = ''
  let from = 0
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at)
      if (end - at >= SHORTEST && isTooSmall(text.slice(at, end))) {
        checked += text.slice(from, at) + TOO_LARGE
        from = end
      }
      at = end
    } else {
      at += 1
    }
  }
  return checked + text.slice(from)
}

const isTooSmall = (number: string): boolean =>
  (number.length >= LONG || LARGE_EXPONENT.test(number)) &&
  Number(number) === 0 &&
  NOT_ZERO.test(number)

/** Behind whatever looks like one. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (isOfNumber(text.charCodeAt(end))) end += 1
  return end
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

const isOfNumber = (code: number): boolean =>
  isDigit(code) ||
  code === POINT ||
  code === MINUS ||
  code === PLUS ||
  code === SMALL_E ||
  code === LARGE_E

/** Behind the quotation mark that ends it, before which there is an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charAt(end - escapes - 1) === '\\') escapes += 1
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}
