// What a trace or a compiler says of where it happened is no code; the other codes of the same text stay codes.
import { expect, test } from 'vitest'
import { withoutCodesOfPositions } from './positions.ts'
import { termsOfQuery } from './terms.ts'

const codesOf = (query: string): string[] =>
  withoutCodesOfPositions(termsOfQuery(query), query).flatMap(({ word, isCode }) =>
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
])('no code is in "%s"', (query) => {
  expect(termsOfQuery(query).some(({ isCode }) => isCode)).toBe(true)
  expect(codesOf(query)).toEqual([])
})

test('the other codes of a text with a position are codes', () => {
  expect(codesOf('src/x.ts:1210:24 - error TS2345')).toEqual(['ts2345'])
  expect(codesOf('connect ECONNREFUSED 10.2.33.4:5432 at node:net:1611:16')).toEqual([
    '10.2.33.45432',
  ])
  expect(codesOf('0x80070057 in update.cs:412')).toEqual(['0x80070057'])
  expect(codesOf('Was 2024-118 paid?')).toEqual(['2024'])
})
