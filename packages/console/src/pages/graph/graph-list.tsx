// The graph as text: every entity with its relations, for screen readers, for the keyboard and for print.
import { useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { count, number } from '../../components/number.ts'
import { shownName } from '../../components/shown-name.ts'
import { TypeName } from './entity-types.tsx'
import type { GraphData } from './graph-data.ts'

/** Entities shown at first, and added by each "Show more". */
const ROWS = 100
const RELATIONS_MAX = 12

type Neighbour = { id: string; type: string; other: string; name: string; isOut: boolean }

export function GraphList({
  data,
  selected,
  onSelect,
}: {
  data: GraphData
  selected: string | undefined
  onSelect: (id: string) => void
}) {
  const [rows, setRows] = useState(ROWS)
  const neighbours = useMemo(() => neighboursOf(data), [data])
  return (
    <div className="card flush">
      <ul className="graph-list" aria-label="Entities">
        {data.nodes.slice(0, rows).map(({ id, name, type }) => {
          const relations = neighbours.get(id) ?? []
          return (
            <li key={id} id={id} data-selected={id === selected}>
              <p className="row">
                <button
                  type="button"
                  className="link-button entity-name"
                  aria-pressed={id === selected}
                  onClick={() => onSelect(id)}
                >
                  {shownName(name)}
                </button>
                <span className="quiet small">
                  <TypeName type={type} />
                </span>
              </p>
              {relations.length > 0 && (
                <ul className="relations small">
                  {relations.slice(0, RELATIONS_MAX).map((relation) => (
                    <li key={`${relation.id}${relation.isOut}`}>
                      <span aria-hidden="true">{relation.isOut ? '→' : '←'}&nbsp;</span>
                      <span className="visually-hidden">{relation.isOut ? 'to' : 'from'}</span>
                      <code>{relation.type}</code>{' '}
                      <button
                        type="button"
                        className="link-button"
                        onClick={() => onSelect(relation.other)}
                      >
                        {shownName(relation.name)}
                      </button>
                    </li>
                  ))}
                  {relations.length > RELATIONS_MAX && (
                    <li className="quiet">
                      and {count(relations.length - RELATIONS_MAX, 'more', 'more')}
                    </li>
                  )}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
      {data.nodes.length > ROWS && (
        <div className="pager">
          <span>
            {number(Math.min(rows, data.nodes.length))} of{' '}
            {count(data.nodes.length, 'entity', 'entities')}
          </span>
          {/* Not gone when all are shown, so that it keeps the focus. */}
          <Button
            size="small"
            aria-disabled={rows >= data.nodes.length}
            onClick={() => setRows(rows + ROWS)}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function neighboursOf({ nodes, edges }: GraphData) {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const all = new Map<string, Neighbour[]>()
  const add = (at: string, neighbour: Neighbour) => {
    const list = all.get(at)
    if (list) list.push(neighbour)
    else all.set(at, [neighbour])
  }
  for (const { id, sourceId, targetId, type } of edges) {
    add(sourceId, { id, type, other: targetId, name: names.get(targetId) ?? '', isOut: true })
    // A relation of an entity to itself is listed once.
    if (sourceId === targetId) continue
    add(targetId, { id, type, other: sourceId, name: names.get(sourceId) ?? '', isOut: false })
  }
  return all
}
