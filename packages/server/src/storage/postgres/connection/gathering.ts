// Lets those who ask the same at the same time ask together. While one question is under way, the
// next one gathers, so that a busy key has one statement under way per instance, instead of as many
// as there are connections, each of which would wait for the same row. Nobody is given an answer to
// a question that was put before they came. When a question fails, so does the one behind it: whoever
// has waited for one timeout does not wait for a second one.

/** A question that `count` ask together. */
type Group<Answer> = { count: number; answer: Promise<Answer> }

export class Gathering<Answer> {
  /** The group of each name that has not asked yet. */
  readonly #open = new Map<string, Group<Answer>>()
  /** The answer of each name that is expected last. */
  readonly #last = new Map<string, Promise<Answer>>()

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
    const before: Promise<unknown> = this.#last.get(name) ?? Promise.resolve()
    const close = (): void => {
      this.#open.delete(name)
    }
    const answer = before.finally(close).then(() => ask(group.count))
    const group: Group<Answer> = { count: 0, answer }
    this.#open.set(name, group)
    this.#last.set(name, answer)
    const forget = (): void => {
      if (this.#last.get(name) === answer) this.#last.delete(name)
    }
    answer.then(forget, forget)
    return group
  }
}
