// Writing a calibration changes nothing else of a manifest, and leaves the old one as it was when it fails.
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../testing/new-folder.ts'
import { CommandFailure } from '../failure.ts'
import { writeCalibration, writeIntoManifest } from './calibration-file.ts'

const MADE = { calibration: { version: 2 }, reference: Buffer.of(1, 255) }

let folder: string
let file: string
beforeEach(() => {
  folder = newFolder()
  file = join(folder, 'manifest.json')
})

test('changes nothing else in a manifest, keeps the order of fields and leaves no other file', () => {
  writeFileSync(file, '{"model": "m.onnx", "calibration": {"old": 1}, "id": "x", "unknown": [1]}')
  chmodSync(file, 0o640)
  writeIntoManifest(file, MADE)
  const text = readFileSync(file, 'utf8')
  const expected = {
    model: 'm.onnx',
    calibration: { version: 2 },
    id: 'x',
    unknown: [1],
    reference: 'reference.bin',
  }
  expect(text).toBe(`${JSON.stringify(expected, null, 2)}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(readdirSync(folder).toSorted()).toEqual(['manifest.json', 'reference.bin'])
  expect([...readFileSync(join(folder, 'reference.bin'))]).toEqual([1, 255])
})

test('adds its fields at the end of a manifest that had none', () => {
  writeFileSync(file, '{"id": "x"}')
  writeIntoManifest(file, MADE)
  const fields = Object.keys(JSON.parse(readFileSync(file, 'utf8')))
  expect(fields).toEqual(['id', 'reference', 'calibration'])
})

test('keeps the checksum of the reference right where there is one, under its name of now', () => {
  const checksum = createHash('sha256').update(MADE.reference).digest('hex')
  const sha256 = { 'old.bin': 'former', 'm.onnx': 'kept' }
  writeFileSync(file, JSON.stringify({ reference: 'old.bin', sha256 }))
  const checksums = () => {
    writeIntoManifest(file, MADE)
    return JSON.parse(readFileSync(file, 'utf8')).sha256
  }
  expect(checksums()).toEqual({ 'reference.bin': checksum, 'm.onnx': 'kept' })
  writeFileSync(file, JSON.stringify({ sha256: { 'm.onnx': 'kept' } }))
  expect(checksums()).toEqual({ 'm.onnx': 'kept' })
})

test('leaves the manifest as it is when the reference cannot be written', () => {
  writeFileSync(file, '{"id": "x"}')
  mkdirSync(join(folder, 'reference.bin'))
  expect(() => writeIntoManifest(file, MADE)).toThrow(CommandFailure)
  expect(readFileSync(file, 'utf8')).toBe('{"id": "x"}')
  expect(readdirSync(folder).toSorted()).toEqual(['manifest.json', 'reference.bin'])
})

test('is a file of its own for a service, and says when that cannot be written', () => {
  const own = join(folder, 'calibration.json')
  writeCalibration(own, { version: 2 })
  expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({ version: 2 })
  const nowhere = join(folder, 'missing', 'calibration.json')
  expect(() => writeCalibration(nowhere, {})).toThrow(CommandFailure)
  expect(() => writeCalibration(nowhere, {})).toThrow(nowhere)
})
