// Whether a value has fields: neither of an argument nor of an answer may a list be taken for an object.
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
