// A text is refused before any work or let in for good, and memories never keep queries out.
import { describe, expect, test } from 'vitest'
import { Backlog } from './backlog.ts'
import { EmbedderUnavailable } from './embedder.ts'

const LONG = 'x'.repeat(600)

/** Work that ends when told to. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, finish: () => resolve('done') }
}

describe('backlog', () => {
  test('refuses at once, before any work, when there is no room', async () => {
    const backlog = new Backlog(1_000)
    const { work, finish } = openWork()
    const admitted = [backlog.admit(LONG, 'patient', work), backlog.admit(LONG, 'patient', work)]
    let begun = false
    const refused = backlog.admit('short', 'patient', async () => {
      begun = true
    })
    await expect(refused).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(begun).toBe(false)
    expect(backlog.hasRoom()).toBe(false)
    finish()
    await expect(Promise.all(admitted)).resolves.toEqual(['done', 'done'])
  })

  test('has room again when a text is done, and when it failed', async () => {
    const backlog = new Backlog(500)
    const failing = backlog.admit(LONG, 'patient', () => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    expect(backlog.hasRoom()).toBe(true)
    await expect(backlog.admit(LONG, 'patient', async () => 'done')).resolves.toBe('done')
  })

  test('lets queries in while memories take all the room of theirs', async () => {
    const backlog = new Backlog(500)
    const { work, finish } = openWork()
    const memory = backlog.admit(LONG, 'patient', work)
    await expect(backlog.admit('query', 'urgent', async () => 'found')).resolves.toBe('found')
    finish()
    await memory
  })

  test('counts short texts too', async () => {
    const backlog = new Backlog(1_000)
    const { work, finish } = openWork()
    const admitted = Array.from({ length: 10 }, () => backlog.admit('x', 'urgent', work))
    await expect(backlog.admit('x', 'urgent', work)).rejects.toBeInstanceOf(EmbedderUnavailable)
    finish()
    await Promise.all(admitted)
  })
})
