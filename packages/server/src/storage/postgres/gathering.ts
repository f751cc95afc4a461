// Lets those who ask the same at the same time ask together. While one question is under way, the
// next one gathers, so that a busy key has one statement under way per instance, instead of as many
// as there are connections, each of which would wait for the same row. Nobody is given an answer to
// a question that was put before they came.

/** A question that `count` ask together. */
type Group<Answer> = { count: number; answer: Promise<Answer> }

export class Gathering<Answer> {
  /** Of each name, the group that has not asked yet, and the end of the last one that may. */
  readonly #open = new Map<string, Group<Answer>>()
  readonly #ends = new Map<string, Promise<void>>()

  /** The answer, and the caller's place among those who asked together, from 0. */
  async join(
    name: string,
    ask: (count: number) => Promise<Answer>,
  ): Promise<{ answer: Answer; place: number }> {
    const group = this.#open.get(name) ?? this.#begin(name, ask)
    const place = group.count
    group.count += 1
    return { answer: await group.answer, place }
  }

  #begin(name: string, ask: (count: number) => Promise<Answer>): Group<Answer> {
    const before = this.#ends.get(name) ?? Promise.resolve()
    const group: Group<Answer> = {
      count: 0,
      answer: before.then(() => {
        this.#open.delete(name)
        return ask(group.count)
      }),
    }
    this.#open.set(name, group)
    const end: Promise<void> = group.answer.then(
      () => this.#forget(name, end),
      () => this.#forget(name, end),
    )
    this.#ends.set(name, end)
    return group
  }

  #forget(name: string, end: Promise<void>): void {
    if (this.#ends.get(name) === end) this.#ends.delete(name)
  }
}
