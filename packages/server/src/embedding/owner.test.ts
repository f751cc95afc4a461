// "I", "me" and "the user" reach the model as one person, the owner of the memories; the users of a product
// do not.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inFirstPerson, queryWithOwner, withOwner } from './owner.ts'

describe('a text in the first person', () => {
  test.each([
    ['User lives in Lisbon', 'I lives in Lisbon'],
    ['The user is allergic to peanuts.', 'I is allergic to peanuts.'],
    [
      'Met Anna. User’s sister came too. User left early.',
      'Met Anna. my sister came too. I left early.',
    ],
    ["Where is the user's cello?", 'Where is my cello?'],
    ['Does the user eat meat?', 'Does I eat meat?'],
    ['This was told by the user.', 'This was told by I.'],
    ['It bores the user', 'It bores I'],
  ])('has "I" for its owner: %s', (text, expected) => {
    expect(inFirstPerson(text)).toBe(expected)
  })

  test.each([
    'The user guide is in the drawer',
    'User stories are in Jira',
    'The user ids are random',
    'the user interface.',
    'User 42 was banned',
    'User: I like tea',
    'User Anna Berg signed up',
    'A new user signed up',
    'In this table User means a row',
    'The users complain',
    'the username is root',
    'Our superuser left',
    'I have the user.name set',
    'She is no user of ours',
  ])('keeps other users as they are: %s', (text) => {
    expect(inFirstPerson(text)).toBe(text)
  })

  test('is what a memory is that begins with what somebody does', () => {
    expect(withOwner('Lives in Lisbon. Works as a nurse.')).toBe(
      'I lives in Lisbon. Works as a nurse.',
    )
    expect(withOwner('Has 2 dogs')).toBe('I has 2 dogs')
    expect(withOwner('Is a nurse;\nasks for short answers')).toBe(
      'I is a nurse;\nasks for short answers',
    )
  })

  test.each([
    'Anna lives in Lisbon',
    'Studies show that tea is healthy',
    'Works of art are insured',
    'Is the gate locked?',
    'Has Anna been to Lisbon',
    'Is it too late,\nor too early?',
    'Uses: cleaning, cooking',
    'Livestock sleeps outside',
    'lives in Lisbon',
  ])('is not what has a subject or asks: %s', (text) => {
    expect(withOwner(text)).toBe(text)
  })

  test('is what a query is that states what somebody does, unless it begins as questions do', () => {
    expect(queryWithOwner('Prefers dark mode')).toBe('I prefers dark mode')
    for (const query of ['Has the parcel arrived', 'Is a permit needed', 'Was it mine']) {
      expect(queryWithOwner(query)).toBe(query)
    }
  })

  test('has lost nothing but the word for its owner', () => {
    const parts = fc.constantFrom(
      'The user',
      'User',
      "the user's",
      ' ',
      '. ',
      'likes',
      'guide',
      '’s',
      '\n',
      'é😀',
    )
    fc.assert(
      fc.property(fc.array(parts), (texts) => {
        const text = texts.join('')
        const withoutOwner = (some: string): string =>
          some.replace(/the user|user|['’]s|\bmy\b|\bI\b/giu, '')
        expect(withoutOwner(inFirstPerson(text))).toBe(withoutOwner(text))
      }),
    )
  })
})
