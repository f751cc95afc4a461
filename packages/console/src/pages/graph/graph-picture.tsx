// React's side of the picture, which is made once and then told of new data, selections and themes. Keys zoom
// and move it as a mouse does. Where the browser cannot draw it, or has let go of it, this says so and refers
// to the list.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { count, number } from '../../components/number.ts'
import { useFocusHandover } from '../../components/vanishing.ts'
import type { GraphData } from './graph-data.ts'
import { Picture } from './picture/picture.ts'

/** Media queries whose change gives the picture other colours. */
const THEMES = ['(prefers-color-scheme: dark)', '(forced-colors: active)']

/** An arrow key moves the picture by this share of its visible part. */
const PAN = 0.2
const KEYS: Readonly<Record<string, (picture: Picture) => void>> = {
  ArrowLeft: (picture) => picture.pan(-PAN, 0),
  ArrowRight: (picture) => picture.pan(PAN, 0),
  ArrowUp: (picture) => picture.pan(0, -PAN),
  ArrowDown: (picture) => picture.pan(0, PAN),
  '+': (picture) => picture.zoom('in'),
  '=': (picture) => picture.zoom('in'),
  '-': (picture) => picture.zoom('out'),
  '0': (picture) => picture.zoom('fit'),
}

const ZOOMS = [
  { direction: 'in', label: 'Zoom in', icon: 'plus' },
  { direction: 'out', label: 'Zoom out', icon: 'minus' },
  { direction: 'fit', label: 'Fit the whole picture', icon: 'fit' },
] as const

type Props = {
  data: GraphData
  /** The number of all entities, those not drawn included. */
  total: number
  selected: string | undefined
  middle: string | undefined
  path: readonly string[]
  onSelect: (id: string | undefined) => void
}

export function GraphPicture(props: Props) {
  const [isLost, setLost] = useState(false)
  return isLost ? (
    <LostPicture onAgain={() => setLost(false)} />
  ) : (
    <DrawnPicture {...props} onLost={() => setLost(true)} />
  )
}

/**
 * The browser lets go of pictures when the graphics card is reset, or when its windows have too many of them.
 * Drawn again by itself, it would take another window's away.
 */
function LostPicture({ onAgain }: { onAgain: () => void }) {
  const notice = useFocusHandover<HTMLDivElement>()
  return (
    <div className="notice warning" role="alert" ref={notice}>
      <p>The browser has let go of the picture. The list shows the same.</p>
      <Button size="small" onClick={onAgain}>
        Draw it again
      </Button>
    </div>
  )
}

function DrawnPicture({
  data,
  total,
  selected,
  middle,
  path,
  onSelect,
  onLost,
}: Props & { onLost: () => void }) {
  const host = useRef<HTMLDivElement>(null)
  const controls = useRef<HTMLDivElement>(null)
  const picture = useRef<Picture>(undefined)
  const told = useRef({ onSelect, onLost })
  told.current = { onSelect, onLost }
  const [state, setState] = useState<'working' | 'settled' | 'impossible'>('working')

  useEffect(() => {
    if (!host.current || !controls.current) return
    let made: Picture
    try {
      made = new Picture(host.current, controls.current, {
        onSelect: (id) => told.current.onSelect(id),
        onLost: () => told.current.onLost(),
      })
    } catch {
      setState('impossible')
      return
    }
    picture.current = made
    const repaint = () => made.refreshTheme()
    const themes = THEMES.map((query) => window.matchMedia(query))
    for (const theme of themes) theme.addEventListener('change', repaint)
    document.addEventListener('themechange', repaint)
    return () => {
      for (const theme of themes) theme.removeEventListener('change', repaint)
      document.removeEventListener('themechange', repaint)
      picture.current = undefined
      made.kill()
    }
  }, [])

  useEffect(() => {
    if (!picture.current) return
    setState('working')
    picture.current.show(data, () => setState('settled'))
  }, [data])

  // biome-ignore lint/correctness/useExhaustiveDependencies: new data is drawn with the same highlight
  useEffect(() => {
    picture.current?.highlight({ selected, middle, path })
  }, [selected, middle, path, data])

  const onKey = (event: KeyboardEvent) => {
    const act = KEYS[event.key]
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (!act || !isPlain || !picture.current) return
    // Else the page would scroll as well.
    event.preventDefault()
    act(picture.current)
  }
  if (state === 'impossible') {
    return (
      <div className="notice warning">
        <p>
          This browser cannot draw the picture (WebGL is switched off). The list shows the same.
        </p>
      </div>
    )
  }
  const relations = `${count(data.edges.length, 'relation')} as a picture`
  const label =
    data.nodes.length < total
      ? `${number(data.nodes.length)} of ${number(total)} entities and ${relations}. The list shows all.`
      : `${count(total, 'entity', 'entities')} and ${relations}. The list shows the same.`
  return (
    <div className="picture" data-state={state}>
      <div
        ref={host}
        className="canvas"
        role="img"
        aria-label={label}
        aria-description="Arrow keys move it, + and - zoom, 0 shows all of it."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved by keys has to have the focus
        tabIndex={0}
        onKeyDown={onKey}
      />
      <div ref={controls} className="zoom">
        {ZOOMS.map(({ direction, label, icon }) => (
          <Button
            key={direction}
            isIcon
            size="small"
            aria-label={label}
            onClick={() => picture.current?.zoom(direction)}
          >
            <Icon name={icon} />
          </Button>
        ))}
      </div>
      {state === 'working' && data.nodes.length > 200 && (
        <p className="arranging badge" role="status">
          Arranging…
        </p>
      )}
    </div>
  )
}
