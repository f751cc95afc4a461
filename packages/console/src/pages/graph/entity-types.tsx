// Each entity type has a colour and a shape of its own, so that nobody has to rely on colours. The number of
// a shape is that in node-program.ts.
import { ENTITY_TYPE_NAMES, type EntityType } from '../../api/contract.ts'

export const SHAPES: Readonly<Record<EntityType, { number: number; path: string }>> = {
  PERSON: { number: 0, path: 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13Z' },
  ORGANIZATION: { number: 1, path: 'M2.2 2.2h11.6v11.6H2.2Z' },
  LOCATION: { number: 2, path: 'M1 3h14L8 15Z' },
  PRODUCT: { number: 3, path: 'M8 .8 15.2 8 8 15.2.8 8Z' },
  EVENT: { number: 4, path: 'M4.2 1.5h7.6L15.5 8l-3.7 6.5H4.2L.5 8Z' },
  CONCEPT: {
    number: 5,
    path: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
  },
  OTHER: { number: 6, path: 'M5.5 1h5v4.5H15v5h-4.5V15h-5v-4.5H1v-5h4.5Z' },
}

export const typeToken = (type: EntityType) => `--type-${type.toLowerCase()}`

export const TypeShape = ({ type }: { type: EntityType }) => (
  <svg
    className={`type-shape ${type.toLowerCase()}`}
    viewBox="0 0 16 16"
    width="14"
    height="14"
    aria-hidden="true"
  >
    <path d={SHAPES[type].path} fill="currentColor" fillRule="evenodd" />
  </svg>
)

export const TypeName = ({ type }: { type: EntityType }) => (
  <span className="type-name">
    <TypeShape type={type} />
    {ENTITY_TYPE_NAMES[type]}
  </span>
)
