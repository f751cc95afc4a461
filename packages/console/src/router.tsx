// Every page, and what it needs before it is shown. The code of a page is loaded when it is opened, so that
// the first one stays small, and only the graph loads the graph's libraries.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { sessionQuery } from './api/accounts.ts'
import { get, isApiError } from './api/client.ts'
import { keyQuery, keysQuery } from './api/keys.ts'
import { queryClient } from './api/query-client.ts'
import { Loading } from './components/states.tsx'
import { focusOnNextTitle } from './components/vanishing.ts'
import {
  ConsoleFailed,
  NotFound,
  OutdatedConsole,
  PageFailed,
  Undecodable,
} from './layout/failures.tsx'
import { Shell } from './layout/shell.tsx'
import { LinkPage } from './pages/entrance/link.tsx'
import { SignInPage } from './pages/entrance/sign-in.tsx'
import { SignUpPage } from './pages/entrance/sign-up.tsx'
import type { GraphSearchParams } from './pages/graph/search-params.ts'
import { KeyFrame } from './pages/keys/key-frame.tsx'
import { KeysPage } from './pages/keys/keys-page.tsx'
import type { MemorySearchParams } from './pages/memories/memory-filter.tsx'

/**
 * The code of a page. If it fails to load because the server does not answer, `get` throws an error that says
 * so. Otherwise this console belongs to an older build than the server's.
 */
async function loaded<Code>(code: Promise<Code>): Promise<Code> {
  try {
    return await code
  } catch (error) {
    await get('/start', {})
    throw new OutdatedConsole(error)
  }
}

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: Undecodable })

// Validation sets an invalid parameter to undefined: one that it merely left out would keep its value from
// the address.

/** Only a local path: a link must not lead to another site after signing in. */
const local = (value: unknown) =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const month = (value: unknown) =>
  typeof value === 'string' && /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search): { next?: string | undefined } => ({ next: local(search['next']) }),
})
const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: SignUpPage,
})
const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/link',
  component: LinkPage,
})

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  errorComponent: ConsoleFailed,
  onLeave: () => queryClient.clear(),
  beforeLoad: async ({ location }) => {
    const isHome = location.pathname === '/' || location.pathname === '/keys'
    // Fetched together with the session, so that the first page is there a round trip sooner.
    if (isHome) void queryClient.prefetchQuery(keysQuery)
    try {
      await queryClient.ensureQueryData(sessionQuery)
    } catch (error) {
      if (!isApiError(error, 'NOT_SIGNED_IN')) throw error
      throw isHome
        ? redirect({ to: '/sign-in', search: {} })
        : redirect({ to: '/sign-in', search: { next: location.href }, state: true })
    }
  },
})
const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/keys', replace: true })
  },
})
const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: KeysPage,
  validateSearch: (search): { filter?: string | undefined } => ({ filter: text(search['filter']) }),
  loader: () => {
    void queryClient.prefetchQuery(keysQuery)
  },
})
const peopleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people',
  component: lazyRouteComponent(
    () => loaded(import('./pages/people/people-page.tsx')),
    'PeoplePage',
  ),
})
const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyRouteComponent(
    () => loaded(import('./pages/account/account-page.tsx')),
    'AccountPage',
  ),
})

const keyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys/$key',
  component: KeyFrame,
  loader: ({ params: { key } }) => {
    void queryClient.prefetchQuery(keyQuery(key))
  },
})
const keyHomeRoute = createRoute({
  getParentRoute: () => keyRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/keys/$key/usage', params, replace: true })
  },
})
const startRoute = createRoute({
  getParentRoute: () => keyRoute,
  path: '/start',
  component: lazyRouteComponent(
    () => loaded(import('./pages/start-here/start-here-page.tsx')),
    'StartHerePage',
  ),
})
const usageRoute = createRoute({
  getParentRoute: () => keyRoute,
  path: '/usage',
  component: lazyRouteComponent(() => loaded(import('./pages/usage/usage-page.tsx')), 'UsagePage'),
  validateSearch: (search): { month?: string | undefined } => ({ month: month(search['month']) }),
})
const memoriesRoute = createRoute({
  getParentRoute: () => keyRoute,
  path: '/memories',
  component: lazyRouteComponent(
    () => loaded(import('./pages/memories/memories-page.tsx')),
    'MemoriesPage',
  ),
  validateSearch: (search): MemorySearchParams => {
    const page = Number(search['page'])
    return {
      userId: text(search['userId']),
      agentId: text(search['agentId']),
      tags: text(search['tags']),
      page: Number.isInteger(page) && page > 1 ? page : undefined,
      open: text(search['open']),
    }
  },
})
const playgroundRoute = createRoute({
  getParentRoute: () => keyRoute,
  path: '/playground',
  component: lazyRouteComponent(
    () => loaded(import('./pages/playground/playground-page.tsx')),
    'PlaygroundPage',
  ),
})
const graphRoute = createRoute({
  getParentRoute: () => keyRoute,
  path: '/graph',
  component: lazyRouteComponent(() => loaded(import('./pages/graph/graph-page.tsx')), 'GraphPage'),
  validateSearch: (search): GraphSearchParams => {
    const [depth, amount] = [Number(search['depth']), Number(search['amount'])]
    const isAmount = Number.isInteger(amount) && amount > 0
    return {
      entity: text(search['entity']),
      depth: depth === 2 || depth === 3 ? depth : undefined,
      view: search['view'] === 'list' ? 'list' : undefined,
      amount: search['amount'] === 'all' ? 'all' : isAmount ? amount : undefined,
      hidden: text(search['hidden']),
      selected: text(search['selected']),
    }
  },
})

/** Any other address. Inside the shell, so that it has the navigation. */
const nowhereRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: NotFound,
})

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return parameters.size === 0 ? '' : `?${parameters}`
}

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    signUpRoute,
    linkRoute,
    shellRoute.addChildren([
      homeRoute,
      keysRoute,
      peopleRoute,
      accountRoute,
      keyRoute.addChildren([
        keyHomeRoute,
        startRoute,
        usageRoute,
        memoriesRoute,
        playgroundRoute,
        graphRoute,
      ]),
      nowhereRoute,
    ]),
  ]),
  basepath: '/console',
  // Parameters stay texts, not JSON: a filter may look like a number or like `true`.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: () => (
    <div className="page">
      <Loading what="the page" />
    </div>
  ),
  defaultErrorComponent: PageFailed,
})

// Going to another page moves the focus to its heading; the first page of a visit leaves it alone.
router.subscribe('onLoad', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) focusOnNextTitle()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
