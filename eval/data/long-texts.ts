// Texts of the greatest length with one fact in each, at positions from first to last, and two questions for
// each fact: one that shares words with it, and one in other words only. There is a dictated form too, in
// which nothing marks the end of a sentence.

type BuriedFact = { fact: string; sharing: string; otherWords: string }

const f = (fact: string, sharing: string, otherWords: string): BuriedFact => ({
  fact,
  sharing,
  otherWords,
})

export const BURIED_FACTS: readonly BuriedFact[] = [
  f(
    'My gym locker opens with the numbers 38-12-27.',
    'Which numbers open the gym locker?',
    'What is the combination for my things at the fitness studio?',
  ),
  f(
    'Grandma was born in a small village near Krakow.',
    'In which village was grandma born?',
    'Where does my grandmother come from?',
  ),
  f('I am allergic to penicillin.', 'What am I allergic to?', 'Which medicine must be avoided?'),
  f(
    'The boiler is serviced every October by Herr Lindner.',
    'Who services the boiler?',
    'Who maintains our heating system?',
  ),
  f(
    'Our wedding took place on a beach in Portugal.',
    'Where was our wedding?',
    'In which country did we get married?',
  ),
  f(
    'The spare key lies under the blue flower pot.',
    'Where is the spare key?',
    'How can someone get in when we are locked out?',
  ),
  f(
    'My sister Ingrid works as a pilot for a cargo airline.',
    'What does my sister Ingrid work as?',
    'What is the job of my sibling?',
  ),
  f(
    'The car gets winter tyres in the second week of November.',
    'When does the car get winter tyres?',
    'When are the wheels of the vehicle changed?',
  ),
  f(
    'I gave up smoking in March 2019.',
    'When did I give up smoking?',
    'Since when have I not had a cigarette?',
  ),
  f(
    'The router password is tulip-harvest-91.',
    'What is the router password?',
    'How do I log in to the wifi?',
  ),
  f(
    'My favourite composer is Erik Satie.',
    'Who is my favourite composer?',
    'Whose piano music do I like best?',
  ),
  f(
    'The dentist appointment was moved to Friday at nine.',
    'When is the dentist appointment?',
    'When do I have my teeth checked?',
  ),
  f(
    'The bakery on Elm Street sells the best sourdough.',
    'Which bakery sells the best sourdough?',
    'Where can one buy good bread?',
  ),
  f(
    'I broke my left wrist while skating as a child.',
    'How did I break my wrist?',
    'What injury did I have when I was young?',
  ),
  f(
    'We adopted a three-legged greyhound called Biscuit.',
    'What is the greyhound called?',
    'What kind of dog do we own?',
  ),
  f(
    'My thesis was about the migration of storks.',
    'What was my thesis about?',
    'What did I research at university?',
  ),
  f(
    'The landlord forbids barbecues on the balcony.',
    'What does the landlord forbid?',
    'Are we allowed to grill at home?',
  ),
  f(
    'Our flight to Oslo leaves from terminal 2.',
    'From which terminal does the flight to Oslo leave?',
    'Where does the plane to Norway depart?',
  ),
  f(
    'My father repaired watches for forty years.',
    'What did my father repair?',
    "What was dad's profession?",
  ),
  f(
    'The children start violin lessons on Tuesday.',
    'When do the violin lessons start?',
    'Which instrument will the kids learn?',
  ),
  f(
    'I cannot stand the smell of lavender.',
    'Which smell can I not stand?',
    'Which scent do I dislike?',
  ),
  f(
    'The basement flooded after the storm in June.',
    'When did the basement flood?',
    'What happened to the cellar in summer?',
  ),
  f(
    'The old oak behind the shed was felled yesterday.',
    'What happened to the old oak?',
    'What was done to the tree in the garden?',
  ),
  f(
    'My passport expires in August 2027.',
    'When does my passport expire?',
    'Until when is my travel document valid?',
  ),
  f(
    'We keep bees on the roof of the office.',
    'Where do we keep bees?',
    'Which insects live on top of our workplace?',
  ),
]

const WHO = [
  'My cousin',
  'The team',
  'A neighbour',
  'Our manager',
  'The teacher',
  'A friend of mine',
  'The visitors',
  'Everyone',
]
const DID = [
  'talked about',
  'enjoyed',
  'forgot',
  'complained about',
  'organised',
  'postponed',
  'wrote down',
  'laughed about',
  'prepared',
]
const WHAT = [
  'the meeting',
  'a long walk',
  'the summer party',
  'a film from the eighties',
  'the weather',
  'the new schedule',
  'a board game',
  'the traffic',
  'the choir',
  'an old photograph',
  'a recipe for soup',
  'the budget',
]
const WHEN = [
  'last week',
  'in the evening',
  'before lunch',
  'after the holidays',
  'on the way home',
  'for hours',
  'without much hurry',
  'as usual',
]

/** Sentences about nothing in particular, of at least `length` characters together; the same for a seed. */
export function ordinarySentences(length: number, seed: number): string[] {
  let state = seed
  const pick = (choices: readonly string[]): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return choices[Math.floor((state / 2_147_483_648) * choices.length)] ?? ''
  }
  const sentences: string[] = []
  for (let characters = 0; characters < length; ) {
    const sentence = `${pick(WHO)} ${pick(DID)} ${pick(WHAT)} ${pick(WHEN)}.`
    sentences.push(sentence)
    characters += sentence.length + 1
  }
  return sentences
}

/** One text for each fact; the first fact stands at the beginning, the last at the end. */
export function longTexts(length: number): string[] {
  return BURIED_FACTS.map(({ fact }, index) => {
    const sentences = ordinarySentences(length - fact.length - 100, index + 1)
    const position = Math.round((index / (BURIED_FACTS.length - 1)) * sentences.length)
    return sentences.toSpliced(position, 0, fact).join(' ').slice(0, length)
  })
}

/** A text as a speech recogniser gives it: without capitals, commas or full stops. */
export const asDictated = (text: string): string => text.toLowerCase().replace(/[.,](?=\s|$)/g, '')
