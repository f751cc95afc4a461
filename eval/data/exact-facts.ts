// A small data set of our own: memories with codes, names, numbers and addresses, which a search has to find
// among ordinary ones, whatever case and punctuation the query has.

/** `other` is not in the memory, but could stand there instead of `thing`. */
type ExactFact = { memory: string; thing: string; other?: string }

export const EXACT_FACTS: readonly ExactFact[] = [
  {
    memory: 'Order ORD-48213-XK was shipped to Berlin',
    thing: 'ORD-48213-XK',
    other: 'ORD-48214-XK',
  },
  {
    memory: 'Order ORD-48231-XQ was returned by the customer',
    thing: 'ORD-48231-XQ',
    other: 'ORD-48232-XQ',
  },
  {
    memory: 'The invoice INV/2024/0917 is still open',
    thing: 'INV/2024/0917',
    other: 'INV/2024/0918',
  },
  {
    memory: 'Ticket PROJ-1187: the export button does nothing',
    thing: 'PROJ-1187',
    other: 'PROJ-1189',
  },
  { memory: 'Ticket PROJ-1178: the login page is slow', thing: 'PROJ-1178', other: 'PROJ-1176' },
  {
    memory: 'The dentist is Dr. Keller, phone +49 30 5551234',
    thing: '5551234',
    other: '+49 30 5551235',
  },
  {
    memory: 'Call the plumber at 555-0173 when it drips again',
    thing: '555-0173',
    other: '555-0174',
  },
  { memory: 'Her address is anna.schmidt@example.org', thing: 'anna.schmidt@example.org' },
  {
    memory: 'Send the report to j_doe+reports@mail.example.com',
    thing: 'j_doe+reports@mail.example.com',
  },
  { memory: 'The booking reference of the flight is Q7ZK4M', thing: 'Q7ZK4M', other: 'Q7ZK4N' },
  {
    memory: 'The insurance policy has the number KX-770412-B',
    thing: 'KX-770412-B',
    other: 'KX-770413-B',
  },
  {
    memory: 'The server in Frankfurt answers at 10.24.3.118',
    thing: '10.24.3.118',
    other: '10.24.3.119',
  },
  { memory: 'We still run version 2.14.7 in production', thing: '2.14.7', other: '2.14.8' },
  { memory: 'The car has the licence plate M-QR 4471', thing: 'M-QR 4471', other: 'M-QR 4472' },
  { memory: 'Commit 9f3ac21 broke the build last night', thing: '9f3ac21', other: '9f3ac22' },
  { memory: 'My new colleague is called Oluwaseun Adeyemi', thing: 'Oluwaseun Adeyemi' },
  { memory: 'Mrs. Krzyżanowska teaches the piano lessons', thing: 'Krzyżanowska' },
  { memory: 'We had dinner with the Håkonsens on Sunday', thing: 'Håkonsens' },
  { memory: 'The apartment belongs to Mr. Vandersteen', thing: 'Vandersteen' },
  { memory: 'The neighbour asked whether Priyanka can water the plants', thing: 'Priyanka' },
  { memory: 'The wifi password is tulip-harvest-91', thing: 'tulip-harvest-91' },
  { memory: 'The locker opens with 38-12-27', thing: '38-12-27', other: '38-12-28' },
  { memory: 'The rent is 1,240 euros a month', thing: '1,240' },
  {
    memory: 'The documentation lies at https://wiki.example.net/ops/runbook',
    thing: 'wiki.example.net/ops/runbook',
  },
  { memory: 'The build writes to /var/lib/forge/artifacts', thing: '/var/lib/forge/artifacts' },
]

export const ORDINARY_MEMORIES: readonly string[] = [
  'Tom: Hey! The pottery class was great fun, we made little bowls.',
  'Rita: Thanks, that means a lot. My weekend was quiet, mostly reading.',
  'Tom: We took the kids camping and they loved the campfire.',
  'Rita: I signed up for a course about watercolour painting.',
  'Tom: Work was stressful this week, but the team pulled through.',
  'Rita: Nothing beats a long walk along the river in autumn.',
  'Tom: I finally repaired the old bicycle in the garage.',
  'Rita: My sister is visiting and we are baking bread together.',
  'Tom: The concert last night was amazing, what a crowd!',
  'Rita: I am thinking about adopting a dog from the shelter.',
  'Tom: We planted tomatoes and herbs on the balcony.',
  'Rita: The new coffee place on the corner is really cosy.',
  'Tom: I started running again, three times a week so far.',
  'Rita: The book club chose a mystery novel this month.',
  'Tom: My back hurts after moving all those boxes.',
  'Rita: We are saving up for a trip to the coast.',
  'Tom: The kids built a fort out of blankets in the living room.',
  'Rita: I tried a new recipe for lentil soup and it was delicious.',
  'Tom: The meeting took forever, but we agreed on a plan.',
  'Rita: I have been sleeping badly because of the heat.',
  'Tom: A friend recommended a film about mountain climbers.',
  'Rita: My grandmother told me stories from her childhood.',
  'Tom: The train was late again, so I missed the start.',
  'Rita: I joined a choir and we practise every Thursday.',
  'Tom: It rained all day, so we played board games.',
]

/** The ways in which people type a thing that they know, without repetitions. */
export const queriesFor = (thing: string): string[] => [
  ...new Set([
    thing,
    thing.toLowerCase(),
    thing.toUpperCase(),
    thing.normalize('NFD').replace(/[\p{Mn}]/gu, ''),
    thing.replace(/[^\p{L}\p{N}]+/gu, ' ').trim(),
    `${thing.toLowerCase()}?`,
    `"${thing}"`,
  ]),
]
