import { describe, expect, it } from 'vitest'
import { Admission } from './admission.ts'
import { EmbedderUnavailable } from './embedder.ts'

const LONG = 'x'.repeat(600)

/** Work that ends when told to. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<string>()
  return { work: () => promise, finish: () => resolve('done') }
}

describe('admission', () => {
  it('refuses at once, before any work, when there is no room', async () => {
    const admission = new Admission(1_000)
    const { work, finish } = openWork()
    const admitted = [
      admission.admit(LONG, 'patient', work),
      admission.admit(LONG, 'patient', work),
    ]
    let begun = false
    const refused = admission.admit('short', 'patient', async () => {
      begun = true
    })
    await expect(refused).rejects.toBeInstanceOf(EmbedderUnavailable)
    expect(begun).toBe(false)
    expect(admission.hasRoom()).toBe(false)
    finish()
    await expect(Promise.all(admitted)).resolves.toEqual(['done', 'done'])
  })

  it('has room again when a text is done, and when it failed', async () => {
    const admission = new Admission(500)
    const failing = admission.admit(LONG, 'patient', () => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    expect(admission.hasRoom()).toBe(true)
    await expect(admission.admit(LONG, 'patient', async () => 'done')).resolves.toBe('done')
  })

  it('lets queries in while memories take all the room of theirs', async () => {
    const admission = new Admission(500)
    const { work, finish } = openWork()
    const memory = admission.admit(LONG, 'patient', work)
    await expect(admission.admit('query', 'urgent', async () => 'found')).resolves.toBe('found')
    finish()
    await memory
  })

  it('counts short texts too', async () => {
    const admission = new Admission(1_000)
    const { work, finish } = openWork()
    const admitted = Array.from({ length: 10 }, () => admission.admit('x', 'urgent', work))
    await expect(admission.admit('x', 'urgent', work)).rejects.toBeInstanceOf(EmbedderUnavailable)
    finish()
    await Promise.all(admitted)
  })
})
