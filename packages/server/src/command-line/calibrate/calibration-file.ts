// Where a calibration is kept: in a model's manifest, with the reference in a file beside it, or in a
// file of its own for a service.
// Written beside its place and renamed, so that whoever reads meanwhile finds the old one or the new.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REFERENCE_NAME } from '../../embedding/local/manifest.ts'
import { errorCodeOf } from '../../error-code.ts'
import { CommandFailure } from '../failure.ts'

/**
 * The reference lies there before the manifest names it, with its checksum where the manifest had one of
 * a reference. Every other field stays, in its order; the manifest has been read before and is an object.
 */
export function writeIntoManifest(
  file: string,
  { calibration, reference }: { calibration: unknown; reference: Buffer },
): void {
  const manifest: Record<string, unknown> = Object(JSON.parse(readFileSync(file, 'utf8')))
  replaceFile(join(dirname(file), REFERENCE_NAME), reference)
  const sha256 = manifest['sha256'] && checksumsWith(reference, manifest)
  replaceFile(file, asJson({ ...manifest, sha256, reference: REFERENCE_NAME, calibration }))
}

function checksumsWith(reference: Buffer, manifest: Record<string, unknown>): object {
  const checksum = createHash('sha256').update(reference).digest('hex')
  const isOfReference = (name: string) => name === manifest['reference'] || name === REFERENCE_NAME
  return Object.fromEntries(
    Object.entries(Object(manifest['sha256'])).map(([name, kept]) =>
      isOfReference(name) ? [REFERENCE_NAME, checksum] : [name, kept],
    ),
  )
}

export const writeCalibration = (file: string, calibration: unknown): void =>
  replaceFile(file, asJson(calibration))

const asJson = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`

/** Throws a CommandFailure when nothing can be written there: what is to be kept may cost money. */
export function expectPlace(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw unwritable(file, 'EISDIR')
  beside(file, (written) => writeFileSync(written, ''))
}

function replaceFile(file: string, content: string | Buffer): void {
  beside(file, (written) => {
    writeFileSync(written, content, { mode: modeOf(file), flush: true })
    renameSync(written, file)
  })
}

/** Nothing is left there. */
function beside(file: string, work: (written: string) => void): void {
  const written = `${file}.${randomUUID()}.tmp`
  try {
    work(written)
  } catch (error) {
    throw unwritable(file, errorCodeOf(error))
  } finally {
    rmSync(written, { force: true })
  }
}

const unwritable = (file: string, code: string): CommandFailure =>
  new CommandFailure(`${file} cannot be written (${code}). With --dry-run nothing is written.`)

const modeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644
