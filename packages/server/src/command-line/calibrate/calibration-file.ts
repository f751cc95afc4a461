// Where a calibration is kept: in a model's manifest, with the reference in a file beside it, or in a
// file of its own for a service.
// Written beside its place and renamed, so that whoever reads meanwhile finds the old one or the new.
import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandFailure } from '../failure.ts'

const REFERENCE_NAME = 'reference.bin'

/**
 * The reference lies there before the manifest names it. Every other field of the manifest stays, in
 * its order; it has been read before and is an object.
 */
export function writeIntoManifest(
  file: string,
  { calibration, reference }: { calibration: unknown; reference: Buffer },
): void {
  const manifest: object = Object(JSON.parse(readFileSync(file, 'utf8')))
  replaceFile(join(dirname(file), REFERENCE_NAME), reference)
  replaceFile(file, asJson({ ...manifest, reference: REFERENCE_NAME, calibration }))
}

export const writeCalibration = (file: string, calibration: unknown): void =>
  replaceFile(file, asJson(calibration))

const asJson = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`

function replaceFile(file: string, content: string | Buffer): void {
  const written = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(written, content, { mode: modeOf(file), flush: true })
    renameSync(written, file)
  } catch (error) {
    rmSync(written, { force: true })
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new CommandFailure(`${file} cannot be written${code}. With --dry-run nothing is written.`)
  }
}

const modeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mode ?? 0o644
