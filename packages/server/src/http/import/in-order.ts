// Runs tasks side by side and hands out their results in the order of the tasks. What is finished is
// handed out at once, also while the next task is still waited for, since whoever sends tasks may
// wait for results. No more than `atOnce` tasks are begun and not handed out, so whoever does not
// take results gets no further.

/** A task that never rejects. */
export type Task<Result> = () => Promise<Result>

/** Hands out one or more results at a time. Ends when the tasks have ended and every one is done. */
export async function* inOrder<Result>(
  tasks: AsyncIterator<Task<Result>>,
  atOnce: number,
): AsyncGenerator<Result[], void> {
  const begun: Begun<Result>[] = []
  let coming: Promise<void> | undefined
  let hasEnded = false

  const begin = async (): Promise<void> => {
    const next = await tasks.next()
    coming = undefined
    if (next.done) hasEnded = true
    else begun.push(new Begun(next.value()))
  }

  try {
    for (;;) {
      if (!hasEnded && begun.length < atOnce) coming ??= begin()
      const head = begun[0]
      if (head === undefined && coming === undefined) return
      await Promise.race([head?.done, coming].filter((each) => each !== undefined))
      const results = takeFinished(begun)
      if (results.length > 0) yield results
    }
  } finally {
    // Whoever left early still waits for what was begun, and for the task that was asked for.
    await Promise.allSettled([coming])
    await Promise.all(begun.map(({ done }) => done))
  }
}

class Begun<Result> {
  result: { value: Result } | undefined
  readonly done: Promise<void>

  constructor(running: Promise<Result>) {
    this.done = running.then((value) => {
      this.result = { value }
    })
  }
}

function takeFinished<Result>(begun: Begun<Result>[]): Result[] {
  const results: Result[] = []
  for (;;) {
    const result = begun[0]?.result
    if (result === undefined) return results
    results.push(result.value)
    begun.shift()
  }
}
