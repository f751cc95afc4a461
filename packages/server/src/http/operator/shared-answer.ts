/** Whoever asks while an answer is being made gets that one: anybody may ask, any number of times. */
export function sharedAnswer<Answer>(make: () => Promise<Answer>): () => Promise<Answer> {
  let coming: Promise<Answer> | undefined
  return () => {
    coming ??= make().finally(() => {
      coming = undefined
    })
    return coming
  }
}
