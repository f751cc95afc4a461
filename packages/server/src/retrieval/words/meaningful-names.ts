// Names that mean something to everybody, and to the model: of countries, peoples and languages, of days
// and months, of relatives, and what is mostly called by its initials. Such a name says what a question
// is about, as other words do: a memory of Rome answers one about Italy. Anna's name says whose memories
// are meant, and has to stand in them.
// decisions/2026-11-28-names-that-mean-something.md

// Each word by itself, folded. What is more often a given name stays one: Jordan, Georgia, Chad, Israel.
const PLACES_AND_PEOPLES = `
  afghanistan africa albania algeria america americas antarctica arabia argentina armenia asia
  australasia australia austria azerbaijan bahamas bahrain bangladesh barbados belarus belgium
  benin bermuda bhutan bolivia bosnia botswana brazil britain bulgaria burma burundi cambodia
  cameroon canada caribbean chile china colombia congo croatia cuba cyprus czechia denmark ecuador
  egypt england eritrea estonia ethiopia europe fiji finland france gambia germany ghana greece
  greenland guatemala guinea guyana haiti herzegovina honduras hungary iceland india indonesia
  iran iraq ireland italy jamaica japan kazakhstan kenya korea kosovo kuwait kyrgyzstan lanka laos
  latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg macedonia madagascar
  malawi malaysia maldives mali malta mauritania mauritius mexico moldova monaco mongolia
  montenegro morocco mozambique myanmar namibia nepal netherlands nicaragua niger nigeria norway
  oceania oman pakistan palestine panama paraguay peru philippines poland polynesia portugal qatar
  romania russia rwanda samoa saudi scandinavia scotland senegal serbia singapore slovakia
  slovenia somalia spain sri sudan suriname sweden switzerland syria taiwan tajikistan tanzania
  thailand tibet togo tonga tunisia turkey turkiye turkmenistan uganda ukraine uruguay uzbekistan
  venezuela vietnam wales yemen zambia zealand zimbabwe afghan african albanian algerian american
  arab arabian arabic argentinian armenian asian australian austrian azerbaijani bangladeshi
  basque belarusian belgian bengali bolivian bosnian brazilian british briton bulgarian burmese
  cambodian cameroonian canadian cantonese catalan celtic chilean chinese colombian croat croatian
  cuban cypriot czech danish dutch ecuadorian egyptian english eritrean estonian ethiopian
  european farsi fijian filipino finnish flemish french gaelic georgian german ghanaian greek
  haitian hebrew hindi hungarian icelandic indian indonesian iranian iraqi irish israeli italian
  jamaican japanese javanese kazakh kenyan khmer korean kurdish kuwaiti latin latvian lebanese
  libyan lithuanian macedonian malay malaysian maltese mandarin maori mexican moldovan mongolian
  moroccan nepali nigerian nordic norwegian pakistani palestinian persian peruvian polish
  portuguese punjabi romanian russian rwandan samoan sanskrit scandinavian scot scottish
  senegalese serb serbian singaporean slavic slovak slovenian somali spaniard spanish sudanese
  swahili swede swedish swiss syrian taiwanese tamil tanzanian thai tibetan tunisian turk turkish
  ugandan ukrainian urdu uruguayan venezuelan vietnamese welsh yiddish zambian zimbabwean alps
  andes arctic atlantic balkans baltic earth equator himalayas mediterranean moon pacific sahara
  siberia sun east eastern north northern south southern west western northeast northwest
  southeast southwest`
const DAYS_AND_MONTHS = `
  monday tuesday wednesday thursday friday saturday sunday january february march july september
  october november december christmas easter halloween hanukkah ramadan thanksgiving`
const RELATIVES = `
  aunt auntie dad daddy father grandfather grandma grandmother grandpa granny mom mommy mother mum
  mummy uncle`
const WORDS = wordsOf(`${PLACES_AND_PEOPLES} ${DAYS_AND_MONTHS} ${RELATIVES} internet wi fi wifi`)
/** Of which a word by itself may be a name: Manchester United, New York, El Greco. */
const SEVERAL_WORDS = new RegExp(
  String.raw`\b(?:${[
    'Burkina Faso|Cape Verde|Costa Rica|Czech Republic|Dominican Republic|El Salvador|European Union',
    'Hong Kong|Ivory Coast|Middle East|New Zealand|Papua New Guinea|Puerto Rico|San Marino',
    'Sierra Leone|United (?:Arab Emirates|Kingdom|Nations|States)',
  ].join('|')})\b`,
  'gu',
)
/** In capitals alone: "it" and "us" are no such thing. */
const INITIALS = wordsOf(`
  AC AI AM API ATM BBQ CEO CFO CI COVID CPU CRM CSS CSV CTO CV DIY DNA DNS DVD ETA EU FAQ FM GP
  GPS GPU HIV HQ HR HTML HTTP HTTPS ID IDE IP IT IQ JSON KPI LED LLM ML MRI OS PC PDF PIN PM PR
  PTA PTO QA QR RAM RSVP SDK SIM SLA SMS SQL SSD SSH SSL SSO SUV TLS TV UI UK UN URL US USA USB
  UTC UV UX VAT VIP VPN XML YAML`)
// In a date these are months: "in June", "June 2023". Elsewhere June may be somebody.
const MONTHS_AND_NAMES = wordsOf('april may june august')
const BEFORE_A_MONTH =
  /(?:\b(?:in|since|until|till|during|last|next|this|every|early|late)|\d(?:st|nd|rd|th)?(?: of)?) $/iu
const BEHIND_A_MONTH = /^,? \d/
/** The longest of what stands before a month, "during ", and the sign before it. */
const BEFORE_LENGTH_MAX = 8

/** The text, as long as it was, with such names of several words in small letters. */
export const withoutMeaningful = (text: string): string =>
  text.replace(SEVERAL_WORDS, (name) => name.toLowerCase())

/** `word` begins with a capital; `folded` is the same without it, `at` where it stands in the text. */
export function isMeaningful(
  { word, folded, at }: { word: string; folded: string; at: number },
  text: string,
): boolean {
  if (MONTHS_AND_NAMES.has(folded)) {
    const before = text.slice(Math.max(0, at - BEFORE_LENGTH_MAX), at)
    return BEFORE_A_MONTH.test(before) || BEHIND_A_MONTH.test(text.slice(at + word.length))
  }
  const one = folded.replace(/s$/, '')
  return WORDS.has(folded) || WORDS.has(one) || INITIALS.has(word.replace(/s$/, ''))
}

function wordsOf(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
