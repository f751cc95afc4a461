/** For code that a start need not wait for. Loaded once; what cannot be loaded now is when somebody asks again. */
export function loadedLater<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
