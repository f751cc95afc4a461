// How the whole console writes numbers and counts.
const NUMBER = new Intl.NumberFormat()
export const number = (value: number) => NUMBER.format(value)

/** "1 memory", "2,000 memories". */
export const count = (value: number, one: string, many = `${one}s`) =>
  `${number(value)} ${value === 1 ? one : many}`
