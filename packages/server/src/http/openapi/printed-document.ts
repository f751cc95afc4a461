// The document as the text that is committed, for people to read. /openapi.json answers the same, compact.
import { openApiDocument } from './document.ts'

export const printedDocument = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
