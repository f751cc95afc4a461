// `npm run openapi`: writes the OpenAPI document to openapi.json at the root. With --check it writes nothing,
// and the exit status is 1 if the committed file differs.
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
