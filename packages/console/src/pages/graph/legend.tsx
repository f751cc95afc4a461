import { ENTITY_TYPES } from '../../api/contract.ts'
import { number } from '../../components/number.ts'
import { TypeName } from './entity-types.tsx'
import type { GraphData } from './graph-data.ts'

/** Which colour and shape is which type; a type can be switched off. */
export function Legend({
  data,
  hidden,
  onHidden,
}: {
  data: GraphData
  hidden: ReadonlySet<string>
  onHidden: (hidden: ReadonlySet<string>) => void
}) {
  const counts = new Map<string, number>()
  for (const { type } of data.nodes) counts.set(type, (counts.get(type) ?? 0) + 1)
  const toggle = (type: string) => {
    const next = new Set(hidden)
    if (!next.delete(type)) next.add(type)
    onHidden(next)
  }
  return (
    <fieldset className="legend-types">
      <legend className="visually-hidden">Types shown</legend>
      {ENTITY_TYPES.filter((type) => counts.has(type)).map((type) => (
        <label key={type} className="choice small">
          <input type="checkbox" checked={!hidden.has(type)} onChange={() => toggle(type)} />
          <TypeName type={type} />
          <span className="quiet number">{number(counts.get(type) ?? 0)}</span>
        </label>
      ))}
    </fieldset>
  )
}
