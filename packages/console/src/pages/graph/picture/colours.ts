// The theme's colours, for what is painted on the canvas.
import { ENTITY_TYPES, type EntityType } from '../../../api/contract.ts'
import { typeToken } from '../entity-types.tsx'

export type Colours = Record<'text' | 'quiet' | 'raised' | 'line' | 'edge' | 'accent', string> & {
  types: Record<EntityType, string>
}

/** Custom properties resolved for the current theme, since a canvas does not know light-dark(). */
export function coloursOf(host: HTMLElement): Colours {
  const probe = host.ownerDocument.createElement('span')
  host.append(probe)
  const resolve = (token: string) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const types = ENTITY_TYPES.map((type) => [type, resolve(typeToken(type))])
  const colours = {
    text: resolve('--text'),
    quiet: resolve('--quiet'),
    raised: resolve('--raised'),
    line: resolve('--line'),
    edge: resolve('--edge'),
    accent: resolve('--accent'),
    // Built from every entity type just above.
    types: Object.fromEntries(types) as Record<EntityType, string>,
  }
  probe.remove()
  return colours
}
