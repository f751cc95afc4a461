import { expect, test } from 'vitest'
import { parseSts } from './sts.ts'

test('a row is two sentences and a rating', () => {
  expect(parseSts('A cat.,A dog.,1.25\nOne.,Two.,5.0\n')).toEqual([
    { first: 'A cat.', second: 'A dog.', rating: 1.25 },
    { first: 'One.', second: 'Two.', rating: 5 },
  ])
})

test('quoted fields hold commas, line breaks and doubled quotes', () => {
  expect(parseSts('"Yes, he said ""no"".","A\nB",0.5')).toEqual([
    { first: 'Yes, he said "no".', second: 'A\nB', rating: 0.5 },
  ])
})

test('a row that is something else is refused by its number', () => {
  expect(() => parseSts('a,b,1\nc,d\n')).toThrow('Row 2')
  expect(() => parseSts('a,b,high\n')).toThrow('Row 1')
})
