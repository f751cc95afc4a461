// The tests use the machine's own Chromium, preferably the headless shell, which takes half the time. Where
// there is none they are skipped and say so; in CI they fail instead.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
export const CHROMIUM = PLACES.find((place) => place !== '' && existsSync(place))

export const NO_CHROMIUM =
  'No Chromium was found: the tests of the console in a browser are skipped. Install chromium, or name one in CHROMIUM.'

export function launch(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(NO_CHROMIUM)
  return chromium.launch({
    executablePath: CHROMIUM,
    // The graph needs WebGL, which SwiftShader draws on a machine without a graphics card. Ordinary pages
    // are composited faster without it.
    args: [
      ...['--no-sandbox', '--enable-unsafe-swiftshader', '--use-angle=swiftshader'],
      '--disable-gpu-compositing',
    ],
  })
}
