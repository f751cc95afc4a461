// How often a header was sent. Node keeps the first of several and hides the others: whoever judges a
// request by a header asks here whether there was another.

export function timesGiven(rawHeaders: string[], name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const text = rawHeaders[at] ?? ''
    if (text.length === name.length && text.toLowerCase() === name) times += 1
  }
  return times
}
