// What traces, compilers and logs say of where and when it happened is no code; what else the text has, is.
import { expect, test } from 'vitest'
import { withoutCodesOfOutput } from './program-output.ts'
import { termsOfQuery } from './query-terms.ts'

const codesOf = (query: string): string[] =>
  withoutCodesOfOutput(termsOfQuery(query), query).flatMap(({ word, isCode }) =>
    isCode ? [word] : [],
  )

test.each([
  'at Server.listen [as _listen2] (node:net:1817:16)',
  'at App.main(App.java:118)',
  'main.(*Pool).Add(0xc000010000, 0x2) app/pool.go:129 +0x1f5',
  '#3 0x00007f8e2c1b3d90 in lex () at lex.c:1210',
  "lex.c:210:15: error: expected ';'",
  'webpack:///./src/App.tsx?:152:33',
  'at Cart (http://localhost:5173/src/Cart.tsx?t=1732871234567:21:10)',
  'See a.ts#L123-L140.',
  '2026-11-29T10:00:01.123Z ERROR [api] req-9f8a7b6c Payment failed',
  '[2026/11/29 10:00:01] worker-12 WARN job stalled id=48213',
  'Nov 29 10:00:01 web app[48213]: job stalled',
  'What was this?\n10:00:01.123 [http-8080-3] job stalled',
])('no code is in "%s"', (query) => {
  expect(termsOfQuery(query).some(({ isCode }) => isCode)).toBe(true)
  expect(codesOf(query)).toEqual([])
})

test('the other codes of such a text are codes', () => {
  expect(codesOf('src/x.ts:1210:24 - error TS2345')).toEqual(['ts2345'])
  expect(codesOf('connect ECONNREFUSED 10.2.33.4:5432 at node:net:1611:16')).toEqual([
    '10.2.33.45432',
  ])
  expect(codesOf('0x80070057 in update.cs:412')).toEqual(['0x80070057'])
  expect(codesOf('Is order 48213 why?\n2026-11-29 10:00:01 ERROR pid 77120')).toEqual(['48213'])
  expect(codesOf('Is order 48213 in it?\n10:00:01 ERROR order 48213 pid 77120')).toEqual(['48213'])
  expect(codesOf('On 2026-11-29 at 10:00 order 48213 came.')).toEqual(['48213'])
  expect(codesOf('Was 2024-118 paid?')).toEqual(['2024'])
})
