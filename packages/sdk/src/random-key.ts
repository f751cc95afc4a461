// A key that nobody else makes. Not `crypto.randomUUID`: browsers have it on secure pages alone.

/** 128 random bits in hexadecimal. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
