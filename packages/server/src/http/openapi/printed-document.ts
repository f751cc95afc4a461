// The document as text: what is committed, and what /openapi.json answers.
import { openApiDocument } from './document.ts'

export const printedDocument = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`
