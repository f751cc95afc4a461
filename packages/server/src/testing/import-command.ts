// Memories that a person sends to a running server with `mnemograph import`: with a key that has an empty
// space, for each test a server of its own unless it brings one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Plan } from '../contract/plans.ts'
import type { Clock } from '../core/clock.ts'
import { apiClient } from './api-client.ts'
import { commandLine } from './command.ts'
import { fakeEmbedder } from './fake-embedder.ts'
import { runService, type TestService } from './running-service.ts'

type ImportOptions = {
  plan?: Plan
  /** One that several tests share. What follows is of no use then. */
  shared?: TestService
  /** Before the model takes it. Throws for what the model is to fail at. */
  embedding?: (content: string) => void | Promise<void>
  clock?: Clock
  /** Of the server. */
  settings?: Record<string, string>
}

/** All of it is gone when the test has finished. */
export async function importCommand({ plan = 'enterprise', shared, ...own }: ImportOptions = {}) {
  const cli = commandLine()
  onTestFinished(() => cli[Symbol.dispose]())
  const service = shared ?? (await serviceOfTest(own))
  const key = await service.newKey({ plan })
  const settings = { API_KEY: key.key }
  const to = (address = service.address) => ['--url', address, '--key-from-env', 'API_KEY']
  return {
    cli,
    service,
    key,
    settings,
    /** The options that say where to send, and with which key. */
    to,
    /** Its path. */
    file(content: string): string {
      const path = join(cli.directory, 'memories.jsonl')
      writeFileSync(path, content)
      return path
    },
    run: (path: string, ...args: string[]) => cli.run(['import', path, ...to(), ...args], settings),
    /** Of the memories in the key's space. */
    async total() {
      const { body } = await apiClient(service.address, key.key)('GET', '/v1/memories')
      return Object(Object(body).pagination).total
    },
    /** What the memories in the key's space say. Not by a request, which a used up quota would refuse. */
    async stored() {
      const { store } = service.service
      const own = (await store.keys.list()).find((each) => each.id === key.id)
      if (own === undefined) throw new Error('The key is not there.')
      const { memories } = store.forSpace(own.spaceId)
      const { items } = await memories.page({}, { page: 1, limit: 1_000 })
      return items.map(({ content }) => content)
    },
  }
}

async function serviceOfTest({
  embedding,
  ...substitutes
}: Pick<ImportOptions, 'embedding' | 'clock' | 'settings'>): Promise<TestService> {
  const fake = fakeEmbedder()
  const embedMemory = async (content: string) => {
    await embedding?.(content)
    return fake.embedMemory(content)
  }
  const service = await runService({ embedder: { ...fake, embedMemory }, ...substitutes })
  onTestFinished(() => service[Symbol.asyncDispose]())
  return service
}
