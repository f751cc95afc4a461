// A row for each key, or a card where there is no room for columns. There may be hundreds, so a row is
// rendered again only when its key has changed.
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { Key } from '../../api/contract.ts'
import { QuotaMeter } from '../../components/meter.tsx'
import { shownName } from '../../components/shown-name.ts'
import { Time } from '../../components/time.tsx'
import { PLAN_NAMES } from './plan.ts'

export const KeyTable = ({
  keys,
  actions,
}: {
  keys: readonly Key[]
  actions: (key: Key) => ReactNode
}) => (
  <div className="table-scroll">
    <table className="table cards keys">
      <caption className="visually-hidden">Your keys, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Status</th>
          <th scope="col">Plan</th>
          <th scope="col">This month</th>
          <th scope="col">Last used</th>
          <th scope="col">Created</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Row key={key.id} item={key} actions={actions} />
        ))}
      </tbody>
    </table>
  </div>
)

const Row = memo(
  ({ item, actions }: { item: Key; actions: (key: Key) => ReactNode }) => (
    <tr className={item.status}>
      <th scope="row">
        <Link to="/keys/$key/usage" params={{ key: item.id }} className="name">
          {shownName(item.name)}
        </Link>
        <code className="id">{item.shortId}</code>
      </th>
      <td data-label="Status">
        <Status item={item} />
      </td>
      <td data-label="Plan">{PLAN_NAMES[item.plan]}</td>
      <td data-label="This month">
        <QuotaMeter used={item.usage.used} limit={item.usage.limit} />
      </td>
      <td data-label="Last used">
        {item.lastUsedAt === null ? (
          <span className="quiet">never</span>
        ) : (
          <Time at={item.lastUsedAt} as="ago" />
        )}
      </td>
      <td data-label="Created">
        <Time at={item.createdAt} as="date" />
      </td>
      <td className="actions">{actions(item)}</td>
    </tr>
  ),
  (before, after) => before.item === after.item,
)

export const Status = ({ item }: { item: Key }) =>
  item.status === 'active' ? (
    <span className="badge good">active</span>
  ) : (
    <span className="badge">
      revoked
      {item.replacedBy !== null ? ', replaced' : item.isPurged ? ', purged' : ''}
    </span>
  )
