// Work, code, orders, journeys and other languages: the second half of the memories of the
// regression set. All are invented.

export const MEMORIES_OF_WORK = {
  // The office.
  standUp:
    'The daily stand-up of the payments team was moved to 9:45 because of the colleagues in Lisbon.',
  releases: 'Releases go out on Tuesdays; nothing is deployed after Thursday noon.',
  marta:
    "Marta's first day in the data team is 3 March; Jonas is her mentor for the first six weeks.",
  budget: 'The marketing budget for the third quarter was cut by 18 percent.',
  pairing:
    'In the retrospective we agreed to pair on every incident that lasts longer than an hour.',
  chidi: 'Chidi was promoted to staff engineer in January.',
  cancelled:
    'Two of our largest customers, Norrland Timber and Casa Verde, cancelled because the invoices arrived late.',
  rotterdam: 'The Rotterdam office moves to the old customs house at the harbour in September.',
  vacation: 'Unused vacation days expire at the end of March of the following year.',
  candidate:
    'The candidate for the design role had a strong portfolio but wants to work from Montreal only.',
  board: 'The board meets on the first Monday of each month in room Aurora.',
  supplier: 'In the call with the supplier from Gdańsk we agreed on 40 days to pay.',
  parents: "The parents' evening at the school takes place on 21 November at 19:00.",
  workshop:
    'Participants of the pricing workshop: Farid, Helena, Mr. Osei and the two consultants.',
  fax: 'We decided to switch off the fax gateway by the end of the year.',
  contract: 'Helena will send the draft contract to legal by Friday.',
  fireDrills: 'Three fire drills are planned for the warehouse this year.',

  // Code.
  retry:
    'The retry logic in billing/charge.ts doubles the waiting time after every failure, up to 30 seconds.',
  flaky: 'The flaky test in checkout.spec.ts fails when the clock crosses midnight UTC.',
  migration: 'Migration 0047_add_ledger.sql must run before the workers are restarted.',
  flag: 'The flag new-cart-drawer is on for 25 percent of the visitors in Canada.',
  postgres: 'We chose PostgreSQL over MySQL because of row level security.',
  gateway: 'The staging gateway listens on 10.8.14.22:8443.',
  certificate: 'Error E_CONN_4012 means that the certificate of the relay has expired.',
  timeout: 'PAYMENT_TIMEOUT_MS is set to 4500 in production.',
  leak: 'The memory leak was introduced by commit b71e0fa and fixed by 3c9d2a8.',
  wikiBackup: 'Backups of the wiki are written to /srv/backup/wiki/nightly.',
  python: 'The notebooks need Python 3.11.9; 3.12 breaks the plotting library.',
  resizer: 'The image resizer was rewritten in Rust and uses a tenth of the memory.',
  hotfix: 'Hotfixes start from the branch release/2025.2 and are merged back within a day.',
  runbook: 'What to do when the queue is full: https://runbooks.acme.example/queue/backlog#drain',

  // Orders and things.
  chairs: 'Order ORD-70551-LM: two oak chairs, delivered to Utrecht on 4 May.',
  desk: 'Order ORD-70515-ML: one walnut desk, returned because of a scratch.',
  paidTwice: 'Invoice 2025-00318 of Papier & Söhne over 1,289.40 euros was paid twice.',
  shoes: 'The parcel with the running shoes has the tracking number JD014600003RU.',
  kettle: 'The refund for the broken kettle, 34.90 euros, arrived on the card ending in 8812.',
  beans: 'The coffee subscription sends 500 g of Ethiopian beans every third week.',
  dishwasher:
    'The warranty of the dishwasher runs until November 2027; its serial number is WD-88X-20431.',
  filter: 'The spare filter for the vacuum cleaner is part no. VF-212b.',

  // Journeys.
  porto: 'Flight TP1187 from Porto to Hamburg leaves at 6:35, seat 14C.',
  kyoto:
    'In Kyoto we stayed at a small inn near Nanzen-ji; the breakfast was the best of the journey.',
  vietnam: 'The visa for Vietnam was granted for ninety days from 2 October.',
  nightTrain: 'The night train from Vienna to Rome is booked: carriage 263, beds 41 and 42.',
  sagres: 'We walked the coastal path from Sagres to Salema in one long day.',
  ferry: 'The ferry to the islands stays in port when the wind is above 60 km/h.',
  suitcase: 'One wheel of the grey suitcase is broken.',
  iceland: 'The hire car in Iceland had a heated windscreen and cost 94 euros a day.',
  glyptotek: 'On rainy days in Copenhagen the Glyptotek with its winter garden is worth a visit.',

  // Spare time.
  bookClub: 'The Left Hand of Darkness is next in the book club; we meet at Farid’s place.',
  saturn: "Saturn's rings could be seen well with the telescope on 8 August.",
  chess: 'In the last round of the chess tournament I drew against a boy of twelve.',
  bees: 'The evening course about beekeeping starts on 9 January and costs 120 euros.',

  // Other languages.
  kuendigung: 'Die Kündigungsfrist der Wohnung beträgt drei Monate zum Quartalsende.',
  fahrradkeller: 'Der Schlüssel für den Fahrradkeller liegt beim Hausmeister, Herrn Größmann.',
  ophtalmologue: "Le rendez-vous chez l'ophtalmologue est fixé au 18 février à 15 h.",
  elodie: 'Élodie préfère le thé à la menthe après le dîner.',
  universidad: 'La contraseña del portal de la universidad caduca cada noventa días.',
  kaigi: '会議は毎週火曜日の午前十時に第二会議室で行われます。',
  tanaka: '田中さんは来月大阪支店に転勤します。',
  pudong: '我们的新办公室在上海浦东新区，地铁二号线附近。',
  lina: '李娜对花生过敏。',
  jisu: '지수의 생일은 5월 17일입니다.',
  sniardwy: 'Wujek Zbyszek ma działkę nad jeziorem Śniardwy.',
  bastu: 'Åsa har bokat bastun på fredag kväll.',
  dvorakova: 'Paní Dvořáková pronajímá byt v Brně.',
  buran: 'Собаку Маши зовут Буран.',
}
