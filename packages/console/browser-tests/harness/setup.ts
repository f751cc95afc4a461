// Builds the console from the current sources before the browser tests run.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { CHROMIUM, NO_CHROMIUM } from './chromium.ts'

export default function setup() {
  if (CHROMIUM === undefined) {
    if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM)
    process.stderr.write(`${NO_CHROMIUM}\n`)
    return
  }
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts')])
}
