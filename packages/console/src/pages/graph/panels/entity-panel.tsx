// One entity beside the graph: what it is, its relations, and the memories that have its name. With a revoked
// key nothing can be added, but what is there can still be deleted.
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { Entity } from '../../../api/contract.ts'
import { deleteEntity, entityQuery } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { Confirm, type Confirmation } from '../../../components/confirm.tsx'
import { Icon } from '../../../components/icons.tsx'
import { shownName } from '../../../components/shown-name.ts'
import { Fetched } from '../../../components/states.tsx'
import { Time } from '../../../components/time.tsx'
import { useSay } from '../../../components/toast.tsx'
import { useIsLeft } from '../../../components/unanswered.tsx'
import { PAGE_TITLE, useHandover, useNextFocus } from '../../../components/vanishing.ts'
import type { Found } from '../entity-search.tsx'
import { TypeName } from '../entity-types.tsx'
import { refreshGraph, refreshGraphWithout } from '../refresh.ts'
import { EntityMentions } from './mentions.tsx'
import { EntityRelations } from './relations.tsx'

type PanelActs = {
  onClose: () => void
  onSelect: (id: string) => void
  onExpand: (id: string) => void
  onRelate: (from: Found) => void
  onPath: (from: Found) => void
  onDeleted: (id: string) => void
}

export function EntityPanel({
  keyId,
  id,
  isRevoked,
  acts,
  ref,
}: {
  keyId: string
  id: string
  isRevoked: boolean
  acts: PanelActs
  ref: RefObject<HTMLElement | null>
}) {
  const entity = useQuery(entityQuery(keyId, id))
  // "Back" may close it.
  useHandover(ref)
  return (
    <aside className="card stack entity-panel" aria-label="Selected entity" tabIndex={-1} ref={ref}>
      <Fetched query={entity} what="the entity" lines={5}>
        {(data) => (
          <Details key={id} keyId={keyId} entity={data} isRevoked={isRevoked} acts={acts} />
        )}
      </Fetched>
      {entity.isLoadingError && <Button onClick={acts.onClose}>Close</Button>}
    </aside>
  )
}

function Details({
  keyId,
  entity,
  isRevoked,
  acts,
}: {
  keyId: string
  entity: Entity
  isRevoked: boolean
  acts: PanelActs
}) {
  const { id, name, type, description, metadata, createdAt } = entity
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const { moveBeside, finalFocus } = useNextFocus()
  const isLeft = useIsLeft()
  const { say } = useSay()
  const askToDelete = () =>
    setConfirmation({
      title: 'Delete this entity?',
      verb: 'Delete the entity',
      children: (
        <p>
          <strong>{shownName(name)}</strong> and all its relations are deleted for good. Memories
          that mention it stay.
        </p>
      ),
      act: async () => {
        await deleteEntity(keyId, id)
        say(
          <>
            Deleted <bdi>{shownName(name)}</bdi>.
          </>,
        )
        // The answer came late, and the reader is at something else.
        if (isLeft.current) return refreshGraph(keyId)
        moveBeside(id, PAGE_TITLE)
        acts.onDeleted(id)
        await refreshGraphWithout(keyId, id)
      },
      onDoubt: () => refreshGraph(keyId),
    })
  return (
    <>
      <div className="row apart panel-head">
        <h2 dir="auto">{shownName(name)}</h2>
        <Button tone="bare" isIcon size="small" aria-label="Close the panel" onClick={acts.onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <p className="quiet small">
        <TypeName type={type} /> · added <Time at={createdAt} as="date" />
      </p>
      <div className="row">
        <Button size="small" onClick={() => acts.onExpand(id)}>
          <Icon name="graph" />
          Neighbourhood
        </Button>
        <Button size="small" onClick={() => acts.onPath({ id, name, type })}>
          <Icon name="path" />
          Path from here
        </Button>
        {!isRevoked && (
          <Button size="small" onClick={() => acts.onRelate({ id, name, type })}>
            <Icon name="plus" />
            Relation
          </Button>
        )}
      </div>
      {description && <p dir="auto">{description}</p>}
      <EntityRelations keyId={keyId} id={id} onSelect={acts.onSelect} />
      <EntityMentions keyId={keyId} id={id} />
      {metadata !== undefined && (
        <details>
          <summary>Metadata</summary>
          <pre className="code-line">{JSON.stringify(metadata, null, 2)}</pre>
        </details>
      )}
      <div className="row end">
        <Button tone="bare" size="small" className="delete" onClick={askToDelete}>
          <Icon name="trash" />
          Delete…
        </Button>
      </div>
      <Confirm
        confirmation={confirmation}
        onClose={() => setConfirmation(undefined)}
        finalFocus={finalFocus}
      />
    </>
  )
}
