/** Whether a version such as `3.51.3` comes before the least one that will do. */
export function isOlder(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const place = least.findIndex((part, at) => (parts[at] ?? 0) !== part)
  return place !== -1 && (parts[place] ?? 0) < (least[place] ?? 0)
}
