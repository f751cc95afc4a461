// The frame around every page of a signed-in account: navigation, the account's menu, signing out.
import { Menu } from '@base-ui/react/menu'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatch, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sessionQuery, signOut } from '../api/accounts.ts'
import { isApiError, isDoubtful } from '../api/client.ts'
import { onSignedOut } from '../api/query-client.ts'
import { dropDrafts } from '../components/draft.ts'
import { Icon } from '../components/icons.tsx'
import { useIsOverdue } from '../components/overdue.ts'
import { dropToasts, useSay } from '../components/toast.tsx'
import { isBoundForTitle } from '../components/vanishing.ts'
import { Brand } from './brand.tsx'
import { THE_PAGE } from './page.tsx'
import { RevealKey } from './reveal-key.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export function Shell() {
  const isOfKey = useMatch({ from: '/shell/keys/$key', shouldThrow: false, select: () => true })
  const { data } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' })
  const isAdministrator = data?.account.role === 'administrator'
  useLeaveWhenSignedOut()
  const accountId = useOneAccount(data?.account.id)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="topbar">
        <Link
          to="/keys"
          activeOptions={THE_PAGE}
          className="home"
          aria-label="Mnemograph, to the keys"
        >
          <Brand />
        </Link>
        <nav aria-label="Main">
          <Link to="/keys" activeOptions={THE_PAGE} className={isOfKey ? 'active' : undefined}>
            Keys
          </Link>
          {isAdministrator && <Link to="/people">People</Link>}
          <a href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
        </nav>
        <div className="row tools">
          <ThemeSwitch />
          <AccountMenu email={data?.account.email ?? ''} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <RevealKey accountId={accountId} />
    </>
  )
}

function AccountMenu({ email }: { email: string }) {
  const navigate = useNavigate()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { sayError } = useSay()
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      dropDrafts()
      dropToasts()
      return toSignIn(navigate, undefined)
    },
    onError: (error) => {
      // The session had ended by itself, which leads to the sign-in page anyway.
      if (isApiError(error, 'NOT_SIGNED_IN')) return
      const still = isDoubtful(error) ? 'You may still be' : 'You are still'
      sayError(`${still} signed in: ${error.message}`)
    },
  })
  const isOverdue = useIsOverdue(leave.isPending)
  useEffect(() => {
    if (isOverdue) sayError('You may still be signed in: the server has not answered yet.')
  }, [isOverdue, sayError])
  return (
    // By the page: an open menu would lie over the one that "back" leads to.
    <Menu.Root key={path}>
      <Menu.Trigger className="button bare account" aria-label={`Account of ${email}`}>
        <Icon name="user" />
        <span className="email">{email}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="layer" align="end" sideOffset={6}>
          <Menu.Popup className="popup" finalFocus={() => !isBoundForTitle()}>
            <div className="menu-note">{email}</div>
            <Menu.Item className="menu-item" render={<Link to="/account" />}>
              Account
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={() => leave.mutate()}>
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

type Navigate = ReturnType<typeof useNavigate>

/**
 * Forgets nothing that was fetched: the router does once the pages are left (onLeave). A page that still
 * shows it would ask for it again.
 */
function toSignIn(navigate: Navigate, next: string | undefined) {
  // The state of this entry of the history comes along, and back after signing in.
  return navigate(
    next === undefined
      ? { to: '/sign-in', search: {} }
      : { to: '/sign-in', search: { next }, state: true },
  )
}

function useLeaveWhenSignedOut() {
  const navigate = useNavigate()
  useEffect(
    () =>
      onSignedOut(() => {
        const { pathname, search } = window.location
        if (!pathname.endsWith('/sign-in')) {
          void toSignIn(navigate, (pathname + search).replace(/^\/console/, ''))
        }
      }),
    [navigate],
  )
}

/**
 * All tabs share a session: once another tab has signed in as somebody else, nothing on this page is true any
 * more, and it is reloaded. Until then it belongs to the first account, whose id this returns.
 */
function useOneAccount(id: string | undefined): string | undefined {
  const first = useRef(id)
  useEffect(() => {
    if (id === undefined) return
    first.current ??= id
    if (first.current !== id) window.location.reload()
  }, [id])
  return first.current ?? id
}
