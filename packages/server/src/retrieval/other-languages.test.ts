// Other languages in Latin letters are told by their small words, with accents and without. English never is taken
// for one, whatever it borrows, shortens, misspells or names.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInOtherLanguage } from './other-languages.ts'
import { FUNCTION_WORDS } from './words/function-words.ts'
import { STOP_WORDS } from './words/stop-words.ts'

describe('a text in another language is told from English', () => {
  test.each([
    'Wo wohnt mein Bruder?',
    'wann muss ich zum arzt',
    'Ich esse keinen Fisch.',
    'Où habite mon oncle ?',
    'quand est-ce que je vais chez le dentiste',
    'Je ne mange jamais de poisson.',
    '¿Dónde vive mi tío?',
    'cuando tengo cita con el dentista',
    '¿En qué trabaja Ana?',
    'Dove vive mio zio?',
    'Che lingua sto imparando?',
    'Onde mora o meu irmão?',
    'o que gosto de beber de manhã',
    'Waar woont mijn broer?',
    'Ik eet geen vis.',
    'Gdzie mieszka mój wujek?',
    'jak sie nazywa pies tomka',
    'Kiminle koşuya çıkıyorum?',
    'wifi şifresi nerede',
    'Vilket språk lär jag mig?',
    'Jag äter inte fisk.',
    'Kapan saya ke dokter gigi?',
    'siapa nama anjing tono',
    'Tôi đang học ngôn ngữ nào?',
    'Tôi không ăn cá.',
    'Hvad hedder min hund?',
    'Jeg spiser ikke fisk.',
    'Hvor bor broren min?',
    'når må jeg til tannlegen',
    'Missä veljeni asuu?',
    'En syö kalaa, koska olen allerginen.',
    'Kdy musím k zubaři?',
    'jak se jmenuje muj pes',
    'Hol lakik a bátyám?',
    'Hány éves Zsófi?',
    'Unde locuiește fratele meu?',
    'cand am programare la dentist',
    'Cum obțin un pașaport?',
  ])('%s', (text) => {
    expect(isInOtherLanguage(text)).toBe(true)
    expect(isInOtherLanguage(text.normalize('NFD'))).toBe(true)
  })
})

describe('an English text is not taken for another language', () => {
  test.each([
    'Was Die Hard on?',
    'me and my son',
    'Los Angeles hotel',
    'el niño forecast',
    'Rio de la Plata',
    'san pedro de la laguna',
    'oscar de la hoya fight',
    'van der berg phone',
    'cirque du soleil dates',
    'lake como hotels',
    'Les Misérables tickets',
    'La Casa de Papel season 2',
    'who sang je t’aime',
    'meaning of c’est la vie',
    'which album has du hast',
    'Do you know Wir sind Helden?',
    'Mein Kampf',
    'café au lait',
    'crème brûlée recipe',
    'de facto lead',
    'hors d’oeuvres',
    'über cool jacket',
    'chow mein recipe',
    'spaghetti alla carbonara',
    'bánh mì shop',
    'phở place',
    'pierogi place',
    'Where does José live?',
    'renée zellweger birthday',
    'Łukasz phone',
    'pączki place',
    'wifi pw',
    'mir',
    'si',
    'mit license',
    '9 am ist call',
    'est to pst',
    'ska playlist',
    'sin tax',
    'hat size',
    'PAS plone sso',
    'no-op order book: tree queries, memory layers, disk pages, compiled rules, asyncio, mongo',
    'var lib forge artifacts',
    '/var/lib/mein/ordner/wichtig',
    'const wo = mein.und.dein(nicht)',
    'wat is teh wifi pw',
    'whre do i liev',
    'wich medicin do i tkae',
    'wer did i prk',
    'tmrw mtg w/ ana',
    'hygge ideas',
    'smørrebrød recipe',
    'mi casa su casa',
    'xiaomi mi router',
    'er diagram tool',
    'kde plasma wayland',
    'take out trash',
    'mika hakkinen lap record',
    'milla jovovich movies',
    'missa solemnis beethoven',
    'fara fawcett',
    'mit photonic bands',
    'co-array fortran libraries',
    'mitt romney stresses credentials',
    'sziget festival lineup',
    'nadia comăneci',
  ])('%s', (text) => expect(isInOtherLanguage(text)).toBe(false))

  test('when it is a single word, whichever it is', () => {
    const word = fc.constantFrom(...FUNCTION_WORDS)
    fc.assert(
      fc.property(word, (text) => {
        expect(isInOtherLanguage(text)).toBe(false)
      }),
    )
  })

  test('when it names things in other languages between words of its own', () => {
    const titled = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`
    const title = fc
      .array(fc.constantFrom(...FUNCTION_WORDS), { minLength: 1, maxLength: 6 })
      .map((words) => words.map(titled).join(' '))
    fc.assert(
      fc.property(title, (name) => {
        expect(isInOtherLanguage(`Who wrote ${name} with them?`)).toBe(false)
        expect(isInOtherLanguage(`tickets for ${name}`)).toBe(false)
      }),
    )
  })
})

test('no word is one of English as well', () => {
  expect([...FUNCTION_WORDS].filter((word) => STOP_WORDS.has(word))).toEqual([])
})
