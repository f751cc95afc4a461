// What is asked is told from what people say around it. By examples: how people ask follows no rule.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRequest } from './request.ts'

test.each([
  ['Hey Claude, where do I live?', 'where do I live?'],
  ['Good morning Eva! Which car do I have?', 'Which car do I have?'],
  ['Thanks so much! And what is my job?', 'what is my job?'],
  ['hey where do i live', 'where do i live'],
  ['ok where do i work', 'where do i work'],
  ['ok google so where do i work', 'where do i work'],
  ['hey siri tell me where i live', 'where i live'],
  ['Claude, tell me where I live.', 'where I live.'],
  ['so show me the way to the harbour', 'the way to the harbour'],
  ['and what about the car', 'what about the car'],
  ['By the way, whats my shoe size', 'whats my shoe size'],
  ['Can you tell me where I live, please?', 'where I live?'],
  ['Please tell me where I live.', 'where I live.'],
  ['Hi Claude, quick question: could you please remind me what Emma eats?', 'what Emma eats?'],
  ['Do you still remember the name of the dog?', 'the name of the dog?'],
  ['I’d like to know which car I drive.', 'which car I drive.'],
  ['Hi there!\n\nWhat did you tell me about the boiler?', 'the boiler?'],
  ["Search memories for Anna's birthday", "Anna's birthday"],
  ['Get all information about project Apollo', 'project Apollo'],
  ['Summarize what you know about project Apollo', 'project Apollo'],
  ['Everything known about the Apollo project', 'the Apollo project'],
  ['What do you know about Anna?', 'Anna?'],
  ['Look up the date of the concert in Oslo', 'the date of the concert in Oslo'],
  ["Hi! Could you please look up Anna's address?", "Anna's address?"],
  ['Explain why the project is late', 'why the project is late'],
  ['Retrieve facts about project Apollo', 'project Apollo'],
  ["Recall Anna's birthday", "Anna's birthday"],
  ['Where do I live? Thanks!', 'Where do I live?'],
  ['Q: Where do I live?', 'Where do I live?'],
  ['user: hey, where do I live?', 'where do I live?'],
  ['[2026-11-29 10:22] User: Where do I live?', 'Where do I live?'],
  ['[2026-11-29T10:22:00.123+01:00] Where do I live?', 'Where do I live?'],
  ['2026-11-29 10:22 user: Where do I live?', 'Where do I live?'],
])('of %j it is %j', (text, question) => {
  expect(readRequest(text)).toMatchObject({ question, isRequest: true })
})

test.each([
  ['Hey Mel, do you remember what you painted?', 'what you painted?', 'Mel'],
  ['Hi Zoe\u0308! Can you tell me what you painted?', 'what you painted?', 'Zoe\u0308'],
  ['hey zoe\u0308 where is the car', 'where is the car', 'zoe\u0308'],
  ['Mel, tell me when the dog eats', 'when the dog eats', 'Mel'],
  ['Dear Evan Hansen, is it on in May?', 'is it on in May?', 'Evan Hansen'],
])('%j may be about whom it addresses', (text, question, addressed) => {
  expect(readRequest(text)).toEqual({ question, addressed, isRequest: true })
})

test('whom a greeting names is asked for, too, when the question is about them', () => {
  const text = 'Hey Mel, what did you paint?'
  expect(readRequest(text)).toEqual({ question: text, addressed: '', isRequest: true })
})

test.each(['Hey Claude, where do I live?', 'Claude, tell me when our flight is.'])(
  '%j is about who asks',
  (text) => {
    expect(readRequest(text)).toMatchObject({ addressed: '' })
  },
)

test.each(['What do you know about me?', 'Hi Claude, how are you?'])(
  '%j keeps its words, since the question alone has none with a meaning',
  (text) => {
    expect(readRequest(text)).toEqual({ question: text, addressed: '', isRequest: true })
  },
)

test.each([
  'Where does Anna live?',
  'Thanks, Anna! Your kind words mean a lot.',
  'Hey Mel! Good to see you!',
  'Hey Mel, what’s up? It has been a busy week.',
  'Hello Kitty, Pikachu and Totoro plushies',
  'Ok Computer is the album she likes most.',
  'Hello is the song that she sings best.',
  'So the meeting was moved to Friday.',
  'So look at the sea and be quiet.',
  'Friends tell me that I snore.',
  'Recall of 2,000 cars with faulty brakes',
  'Search after man swept into sea',
  'Get the car washed before Friday',
  'Get all the dishes done before Sunday',
  'Information desk closed for the holidays',
  'Information on Anna is in the blue folder',
  'Everything on the menu was fried in butter.',
  'Something about the flat smells of mould.',
  'Fetch the dry cleaning',
  'fetch fails in Safari',
  'Recall that Anna is a dentist.',
  'Let me know if Will moves',
  'Check whether the plumber has paid',
  'How do I say thank you?',
  'What is the word for please?',
  'Hi Claude!',
  'User: I like tea.',
  'Q: Where does she live? A: In Lisbon.',
  '[2026-11-29 10:22] The server was restarted.',
  '2026-11-29 10:22: what happened?',
  'Tell me',
  'please?',
])('nothing stands around %j', (text) => {
  expect(readRequest(text)).toMatchObject({ question: text, isRequest: false })
})

test('it is a part of any text, as it was written, and is found in the time of one look', () => {
  const said = fc.constantFrom(
    'hey ',
    'Claude',
    ', ',
    'can you ',
    'tell me ',
    'all ',
    'please',
    '? ',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(said, fc.string())), (parts) => {
      const text = parts.join('')
      const { question } = readRequest(text)
      const begin = question.replace(/[.!?]*$/, '')
      expect(text).toContain(begin)
    }),
  )
  for (const part of ['all ', ' please', 'please, ', 'hey ', ', ', '?! ', 'notes ']) {
    const text = `search ${part.repeat(200_000)}x`
    expect(readRequest(text)).toMatchObject({ question: text, isRequest: false })
  }
  for (const sign of ['…', '!', ',', '?', ' a']) {
    const text = `hey ${sign.repeat(200_000)}x`
    expect(readRequest(text)).toMatchObject({ question: text, isRequest: false })
  }
})
