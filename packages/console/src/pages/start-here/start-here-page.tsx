// The way from a saved key to a first answer. The page polls for the first request, so that its arrival is
// seen without a reload; polling keeps no session alive.
import './start-here.css'
import { Tabs } from '@base-ui/react/tabs'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { FirstRequest } from '../../api/contract.ts'
import { firstRequestQuery, keyQuery } from '../../api/keys.ts'
import { CodeBlock, CopyButton } from '../../components/copy.tsx'
import { Icon } from '../../components/icons.tsx'
import { Loading, Problem } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { Page } from '../../layout/page.tsx'
import { type Language, snippets } from './snippets.ts'

const LANGUAGES: readonly Language[] = ['curl', 'TypeScript', 'Python', 'MCP']

export function StartHerePage() {
  const { key } = useParams({ from: '/shell/keys/$key/start' })
  const first = useQuery(firstRequestQuery(key))
  const status = useQuery(keyQuery(key)).data?.key.status
  return (
    <Page title="Start here" lead="From a saved key to a first answer.">
      {first.error && <Problem error={first.error} retry={first.refetch} />}
      {status === 'revoked' ? (
        <div className="notice warning narrow">
          <p>This key is revoked: requests with it are refused.</p>
        </div>
      ) : first.data ? (
        <Steps id={key} first={first.data} />
      ) : first.error ? null : (
        <div className="card">
          <Loading what="the address" />
        </div>
      )}
    </Page>
  )
}

function Steps({
  id,
  first: { baseAddress, prefix, lastUsedAt },
}: {
  id: string
  first: FirstRequest
}) {
  const codes = snippets(baseAddress, prefix)
  return (
    <div className="stack narrow">
      <section className="card stack" aria-labelledby="address">
        <div className="row apart">
          <h2 id="address">Base address</h2>
          <CopyButton text={baseAddress} what="the base address" />
        </div>
        <p>
          <code>{baseAddress}</code>
        </p>
        {prefix !== null && (
          <p className="quiet">
            Your key begins with <code>{prefix}</code>. Only you have the rest of it.
          </p>
        )}
      </section>
      <section className="card stack" aria-labelledby="first">
        <div>
          <h2 id="first">Remember something, then ask for it</h2>
          <p className="quiet">
            The environment variable <code>KEY</code> has to hold the whole key that you saved.
          </p>
        </div>
        <Tabs.Root defaultValue={LANGUAGES[0]} className="stack">
          <Tabs.List className="segments" aria-label="Language">
            {LANGUAGES.map((language) => (
              <Tabs.Tab key={language} value={language}>
                {language}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {LANGUAGES.map((language) => (
            <Tabs.Panel key={language} value={language} tabIndex={-1}>
              <CodeBlock code={codes[language]} what={`${language} snippet`} />
            </Tabs.Panel>
          ))}
        </Tabs.Root>
      </section>
      <Arrival id={id} lastUsedAt={lastUsedAt} />
    </div>
  )
}

function Arrival({ id, lastUsedAt }: { id: string; lastUsedAt: string | null }) {
  const hasArrived = lastUsedAt !== null
  return (
    <section className="card arrival" data-arrived={hasArrived}>
      {hasArrived ? (
        <span className="arrived">
          <Icon name="check" />
        </span>
      ) : (
        <span className="pulse" aria-hidden="true" />
      )}
      <div>
        {/* Only the heading is announced: the text below it changes with every request. */}
        <h2 aria-live="polite">{hasArrived ? 'It works' : 'Waiting for the first request'}</h2>
        {hasArrived ? (
          <p className="quiet">
            The latest request arrived <Time at={lastUsedAt} as="ago" />. See{' '}
            <Link to="/keys/$key/memories" params={{ key: id }}>
              what is remembered
            </Link>{' '}
            or ask in the{' '}
            <Link to="/keys/$key/playground" params={{ key: id }}>
              playground
            </Link>
            .
          </p>
        ) : (
          <p className="quiet">This page notices it by itself.</p>
        )}
      </div>
    </section>
  )
}
