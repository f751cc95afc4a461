// Lists of a large space: the first page, a deep one, and the totals of filtered ones, through the
// interface of the store.
import type { PageRequest } from '../../packages/server/src/contract/page.ts'
import type { MemoryFilter } from '../../packages/server/src/storage/store.ts'
import type { Row } from '../bench.ts'
import { adoptBundled, openBenchStore } from '../data/filled-store.ts'
import { FILTERS } from '../data/memories.ts'
import { numbers } from '../data/numbers.ts'
import { type Figure, withCommas } from '../report/figure.ts'
import { inRounds } from '../timing/rounds.ts'

const LIMIT = 20
const DEEP_PAGE = 1_000
/** The number of memories that the goals speak of. */
const JUDGED = 1_000_000
const GOALS_MS = { first: 0.3, deep: 1, filtered: 3 }

export const lists: Row = {
  key: 'lists',
  title: 'Lists',
  async measure({ scale, filled, record }, row) {
    const size = Math.max(...scale.sizes)
    const folder = await filled({ size })
    const [tenant] = folder.tenants
    if (tenant === undefined) throw new Error('The folder has no space.')
    await using open = new AsyncDisposableStack()
    const store = open.adopt(await openBenchStore(folder.directory), (opened) => opened.close())
    await adoptBundled(store)
    const { memories } = store.forSpace(tenant.space)
    const list = (filter: MemoryFilter, page: PageRequest) => () => memories.page(filter, page)
    const first = { page: 1, limit: LIMIT }
    const [tenth = {}, tags = {}] = ['user with 10 %', 'two tags, 6 %'].map((name) => FILTERS[name])
    const found = await inRounds(
      numbers(scale.queries),
      {
        first: list({}, first),
        deep: list({}, { page: DEEP_PAGE, limit: LIMIT }),
        tenth: list(tenth, first),
        tags: list(tags, first),
      },
      scale.rounds,
    )
    const figure = (name: string, of: keyof typeof found, atMost: number): Figure => ({
      row,
      name: `${withCommas(size)} memories, ${name}`,
      unit: 'ms',
      value: found[of].p50,
      p99: found[of].p99,
      cpuMs: found[of].cpuMs,
      goal: size === JUDGED ? { atMost } : undefined,
    })
    record(figure('page 1', 'first', GOALS_MS.first))
    record(figure('page 1,000', 'deep', GOALS_MS.deep))
    record(figure('page 1 and total, user with 10 %', 'tenth', GOALS_MS.filtered))
    record(figure('page 1 and total, two tags', 'tags', GOALS_MS.filtered))
  },
}
