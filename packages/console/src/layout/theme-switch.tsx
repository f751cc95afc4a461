// The theme is an attribute of the document, from which the styles take their colours; without it the
// system's theme holds. It is kept in the browser, not with the account.
import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icons.tsx'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const
const NAMES = { system: 'as the system', light: 'light', dark: 'dark' } as const
/** public/theme.js reads it before the first paint. */
const STORED_AS = 'mnemograph-theme'

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(current)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  const change = () => {
    apply(next)
    setTheme(next)
  }
  return (
    <Button tone="bare" isIcon onClick={change} title={`Theme: ${NAMES[theme]}`}>
      <Icon name={ICONS[theme]} />
      <span className="visually-hidden">
        Theme: {NAMES[theme]}. Change to {NAMES[next]}.
      </span>
    </Button>
  )
}

function current(): Theme {
  const set = document.documentElement.dataset['theme']
  return set === 'light' || set === 'dark' ? set : 'system'
}

function apply(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  // The graph is painted on a canvas, which no style reaches: it listens for this event.
  document.dispatchEvent(new Event('themechange'))
  try {
    if (theme === 'system') localStorage.removeItem(STORED_AS)
    else localStorage.setItem(STORED_AS, theme)
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
