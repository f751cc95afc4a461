// Much of one kind, removed a little at a time: a commit of its own for each step, and whatever else is
// to be written goes in between.

/** `step` says whether nothing is left. Nothing more is begun once the store closes. */
export async function untilDone(step: () => Promise<boolean>, closing: AbortSignal): Promise<void> {
  let isDone = false
  while (!isDone && !closing.aborted) isDone = await step()
}
