/**
 * The service under test as the cases see it: its address, clients with keys of their own, and
 * what is possible on it. A foreign server comes with one key only; the cases that need more
 * (fresh keys, the folder, restarts) skip there and say why.
 */
import { describe, inject } from 'vitest'
import { Client } from './client.ts'
import { issueKey, type KeyOptions } from './keys.ts'
import { hasLoopbackRange } from './wire.ts'

const service = inject('service')

export const serviceUrl = service.url
/** True when the suite started the server and so can make keys on its folder. */
export const managed = service.dataDir !== null

export function dataDir(): string {
  if (service.dataDir === null) throw new Error('A foreign server has no folder here')
  return service.dataDir
}

/** A client with a new key in a new, empty space; without limits unless options say otherwise. */
export async function freshClient(options: KeyOptions = {}): Promise<Client> {
  const { key } = await issueKey(dataDir(), options)
  return new Client(serviceUrl, key)
}

/**
 * The client for cases that keep to their own users and names: a fresh key where the suite makes
 * keys, the given one on a foreign server, where other data may lie beside the case's.
 */
export async function anyClient(): Promise<Client> {
  return service.key === null ? freshClient() : new Client(serviceUrl, service.key)
}

/** `describe` for cases that need fresh keys, the folder or the process of the server. */
export function describeManaged(name: string, cases: () => void): void {
  if (managed) describe(name, cases)
  else describe.skip(`${name} (skipped: needs a server started by this suite, to make keys)`, cases)
}

/** As describeManaged, for cases that also need to call from other loopback addresses. */
export function describeAddressed(name: string, cases: () => void): void {
  if (managed && !hasLoopbackRange(serviceUrl)) {
    describe.skip(`${name} (skipped: needs the loopback range 127.0.0.0/8, as Linux has it)`, cases)
  } else {
    describeManaged(name, cases)
  }
}
