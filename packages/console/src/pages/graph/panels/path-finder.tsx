// The shortest path between two entities, whatever the direction of its relations.
import { useQuery } from '@tanstack/react-query'
import { Fragment, type RefObject } from 'react'
import type { Graph } from '../../../api/contract.ts'
import { pathQuery } from '../../../api/graph.ts'
import { Button } from '../../../components/button.tsx'
import { count } from '../../../components/number.ts'
import { shownName } from '../../../components/shown-name.ts'
import { Problem } from '../../../components/states.tsx'
import { EntitySearch, type Found } from '../entity-search.tsx'
import { TypeShape } from '../entity-types.tsx'

export type Ends = { from?: Found | undefined; to?: Found | undefined }

export const usePath = (keyId: string, { from, to }: Ends) =>
  useQuery({
    ...pathQuery(keyId, from?.id ?? '', to?.id ?? ''),
    enabled: from !== undefined && to !== undefined,
  })

export function PathFinder({
  keyId,
  ends,
  onEnds,
  onClose,
  onSelect,
  ref,
}: {
  keyId: string
  ends: Ends
  onEnds: (ends: Ends) => void
  onClose: () => void
  onSelect: (id: string) => void
  ref: RefObject<HTMLElement | null>
}) {
  const path = usePath(keyId, ends)
  return (
    <section className="card stack" aria-label="Shortest path" tabIndex={-1} ref={ref}>
      <div className="path-ends">
        <EntitySearch
          keyId={keyId}
          label="From"
          value={ends.from}
          onChoose={(from) => onEnds({ ...ends, from })}
        />
        <EntitySearch
          keyId={keyId}
          label="To"
          value={ends.to}
          onChoose={(to) => onEnds({ ...ends, to })}
        />
        <Button onClick={onClose}>Close the path</Button>
      </div>
      <div role="status">
        {path.error ? (
          <Problem error={path.error} retry={path.refetch} />
        ) : path.isFetching ? (
          <p className="quiet">Looking for a way…</p>
        ) : !path.data ? (
          <p className="quiet">Choose two entities.</p>
        ) : path.data.path === null ? (
          <p>
            {path.data.isComplete
              ? 'No relations lead from one to the other.'
              : 'No path within the bounds of the search; there may be a longer one.'}
          </p>
        ) : (
          <Steps path={path.data.path} onSelect={onSelect} />
        )}
      </div>
    </section>
  )
}

const Steps = ({
  path: { nodes, edges },
  onSelect,
}: {
  path: Pick<Graph, 'nodes' | 'edges'>
  onSelect: (id: string) => void
}) => (
  <div className="stack tight">
    <p className="quiet small">{count(edges.length, 'step')}</p>
    <p className="path-steps">
      {nodes.map((node, index) => {
        const edge = edges[index]
        return (
          <Fragment key={node.id}>
            <button type="button" className="link-button" onClick={() => onSelect(node.id)}>
              <TypeShape type={node.type} /> {shownName(node.name)}
            </button>
            {edge && (
              <span className="quiet">
                {edge.sourceId === node.id ? '' : '← '}
                <code>{edge.type}</code>
                {edge.sourceId === node.id ? ' →' : ''}
              </span>
            )}
          </Fragment>
        )
      })}
    </p>
  </div>
)
