// The browser and system that a user agent names, in words that people recognize.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
]

export function browserOf(userAgent: string): string {
  const name = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent))?.[1]
  const [browser, system] = [name(BROWSERS), name(SYSTEMS)]
  if (browser === undefined) return userAgent.slice(0, 60) || 'Unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
