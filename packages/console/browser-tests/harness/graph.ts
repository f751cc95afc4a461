// What tests of the graph share: the demonstration's graph under a key of its own, and a picture at rest.
import type { Page } from 'playwright-core'
import { drawGraph, remember } from '../../scripts/demo-data.ts'
import type { Visit } from './visit.ts'

/** Resolves when the picture of a graph has come to rest. */
export const settled = (page: Page) => page.waitForSelector('.picture[data-state="settled"]')

/** An account with a key that holds the demonstration's memories and graph. */
export async function drawn(visit: Visit, email: string) {
  const client = await visit.member(email)
  const key = await visit.unlimitedKey(client, 'graph')
  await remember(key.call)
  const ids = await drawGraph(key.call)
  return { client, key, idOf: (name: string) => ids.get(name) ?? '' }
}
