// Prints the OpenAPI document to openapi.json at the root, from which clients are made. With
// --check nothing is written, and the exit status is 1 when the committed file is another one.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { printedDocument } from '../packages/server/src/http/openapi/printed-document.ts'

const file = fileURLToPath(new URL('../openapi.json', import.meta.url))
const printed = printedDocument()

if (!process.argv.includes('--check')) {
  writeFileSync(file, printed)
} else if (readFileSync(file, 'utf8') !== printed) {
  process.stderr.write(
    'openapi.json is not what the contract says. Run `npm run openapi` and commit the file.\n',
  )
  process.exitCode = 1
}
