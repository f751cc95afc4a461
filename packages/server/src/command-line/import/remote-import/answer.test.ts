// What a server says of a line is understood as far as a sender has to, later codes too; what is no
// Mnemograph is told as such, and nothing that it says is obeyed by a terminal.
import { expect, test } from 'vitest'
import { CommandFailure } from '../../failure.ts'
import { isOfTheServer, readAnswer, refusalText } from './answer.ts'

const summary = { created: 1, repeated: 0, refused: 0 }
const refusal = (code: string) => ({ line: 1, error: { code, message: 'So it is.' } })

test.each<[line: unknown, answer: object]>([
  [{ line: 1, id: 'mem_1' }, { kind: 'created' }],
  [{ line: 1, id: 'mem_1', repeated: true }, { kind: 'repeated' }],
  [refusal('VALIDATION_ERROR'), { kind: 'refused', code: 'VALIDATION_ERROR' }],
  [refusal('OF_A_LATER_VERSION'), { kind: 'refused', code: 'OF_A_LATER_VERSION' }],
  [{ summary }, { kind: 'end', stopped: undefined }],
  [
    { summary: { ...summary, stopped: refusal('X').error, nextLine: 2 } },
    { kind: 'end', stopped: 'So it is.' },
  ],
])('%j is understood', (line, answer) => {
  expect(readAnswer(line)).toMatchObject(answer)
})

test('a line is refused through no fault of its own by a failure of the server, not by a later code', () => {
  const codes = ['SERVICE_UNAVAILABLE', 'VALIDATION_ERROR', 'OF_A_LATER_VERSION']
  expect(codes.map(isOfTheServer)).toEqual([true, false, false])
})

test.each(['API_KEY_REVOKED', 'INVALID_API_KEY'])('%s ends the import', (code) => {
  expect(() => readAnswer(refusal(code))).toThrow(new CommandFailure('So it is.'))
})

test.each([
  null,
  'ok',
  [],
  {},
  { id: 1 },
  { error: 'no' },
  { error: { code: 'X' } },
  { summary: null },
])('%j is no answer of an import', (line) => {
  expect(() => readAnswer(line)).toThrow(new CommandFailure('What answers is no Mnemograph.'))
})

test.each(['', '<html>', 'null', '{"error":"no"}'])('%j refuses in words of its own', (body) => {
  expect(refusalText(body)).toBeUndefined()
})

test('a refusal of the whole import says why', () => {
  expect(refusalText(JSON.stringify(refusal('X')))).toBe('So it is.')
})

test('no text of a server is obeyed by the terminal that shows it', () => {
  const message = 'a\u001b]0;b\u0007\r\nc\u009b2J'
  const error = { code: 'X\u001b[2J', message, resetAt: '\u001b[1A', limit: 7 }
  const shown = [
    readAnswer({ line: 1, error }),
    readAnswer({ summary: { ...summary, stopped: error, nextLine: 2 } }),
    refusalText(JSON.stringify({ error })),
  ]
  expect(shown).toMatchObject([
    { error: { code: 'X\ufffd[2J', resetAt: '\ufffd[1A', limit: 7 } },
    { stopped: 'a\ufffd]0;b\ufffd\ufffd\ufffdc\ufffd2J' },
    'a\ufffd]0;b\ufffd\ufffd\ufffdc\ufffd2J',
  ])
  const revoked = { line: 1, error: { code: 'API_KEY_REVOKED', message } }
  expect(() => readAnswer(revoked)).toThrow(/^[^\p{Cc}]*$/u)
})
