// The newest relations that begin or end at an entity. The server lists by one end at a time, so there are
// two lists; a relation from the entity to itself is in both, and shown once.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RelationListItem } from '../../../api/contract.ts'
import { deleteRelation, ownRelationsQuery, relationsQuery } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm, type Confirmation } from '../../../components/confirm.tsx'
import { Icon } from '../../../components/icons.tsx'
import { count, number } from '../../../components/number.ts'
import { shownName } from '../../../components/shown-name.ts'
import { Problem } from '../../../components/states.tsx'
import { useSay } from '../../../components/toast.tsx'
import { useNextFocus } from '../../../components/vanishing.ts'
import { TypeShape } from '../entity-types.tsx'
import { refreshGraph } from '../refresh.ts'

const HEADING = 'relations'

export function EntityRelations({
  keyId,
  id,
  onSelect,
}: {
  keyId: string
  id: string
  onSelect: (id: string) => void
}) {
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const { moveBeside, finalFocus } = useNextFocus()
  const { say } = useSay()
  const out = useQuery(relationsQuery(keyId, 'sourceId', id))
  const back = useQuery(relationsQuery(keyId, 'targetId', id))
  const own = useQuery(ownRelationsQuery(keyId, id))
  const lists = [out, back, own]
  const error = lists.find((list) => list.error)?.error
  const problem = error && (
    <Problem error={error} retry={() => lists.map((list) => list.refetch())} />
  )
  if (!out.data || !back.data || own.data === undefined)
    return problem ?? <p className="quiet small">Loading the relations…</p>
  const incoming = back.data.items.filter(({ sourceId }) => sourceId !== id)
  const items = [...out.data.items, ...incoming]
  const total = out.data.pagination.total + back.data.pagination.total - own.data
  const ask = (relation: RelationListItem) =>
    setConfirmation({
      title: 'Delete this relation?',
      verb: 'Delete the relation',
      children: (
        <p>
          <bdi>{shownName(relation.source.name)}</bdi> <code>{relation.type}</code>{' '}
          <bdi>{shownName(relation.target.name)}</bdi>
        </p>
      ),
      act: async () => {
        await deleteRelation(keyId, relation.id)
        moveBeside(relation.id, HEADING)
        say('Deleted the relation.')
        await refreshGraph(keyId)
      },
      onDoubt: () => refreshGraph(keyId),
    })
  return (
    <section aria-label="Relations" className="stack tight">
      <h3 id={HEADING} tabIndex={-1}>
        Relations{total > 0 && <span className="quiet number"> {number(total)}</span>}
      </h3>
      {problem}
      {items.length === 0 && <p className="quiet small">None yet.</p>}
      <ul className="relations">
        {items.map((relation) => {
          const isOut = relation.sourceId === id
          const other = isOut ? relation.target : relation.source
          return (
            <li key={relation.id} id={relation.id} className="relation">
              <span>
                <span aria-hidden="true">{isOut ? '→' : '←'}&nbsp;</span>
                <span className="visually-hidden">{isOut ? 'to' : 'from'}</span>
                <code>{relation.type}</code> <TypeShape type={other.type} />{' '}
                <button type="button" className="link-button" onClick={() => onSelect(other.id)}>
                  {shownName(other.name)}
                </button>
              </span>
              <Button
                tone="bare"
                isIcon
                size="small"
                aria-label={`Delete the relation ${relation.type} with ${shownName(other.name)}`}
                onClick={() => ask(relation)}
              >
                <Icon name="trash" />
              </Button>
            </li>
          )
        })}
      </ul>
      {total > items.length && (
        <p className="quiet small">Of {count(total, 'relation')} the newest are shown.</p>
      )}
      <Confirm
        confirmation={confirmation}
        onClose={() => setConfirmation(undefined)}
        finalFocus={finalFocus}
      />
    </section>
  )
}
