// Long sentences that say several things, and statements of one of these things, mostly in the words of the
// sentence.

type StatedParts = { memory: string; parts: readonly string[] }

export const STATED_PARTS: readonly StatedParts[] = [
  {
    memory:
      'Yesterday after the meeting with the board, which lasted until nine, Professor Okafor, who collects antique barometers, told us that he would retire in spring and move to the coast.',
    parts: ['Professor Okafor collects antique barometers', 'Professor Okafor retires in spring'],
  },
  {
    memory:
      'When we went to the allergist on Tuesday she confirmed that I am allergic to penicillin but said that the cat is not the cause of the coughing, so we can keep her.',
    parts: ['I am allergic to penicillin', 'we can keep the cat'],
  },
  {
    memory:
      'The contract with Northwind runs until March 2027, it renews by itself unless we cancel three months before, and the price goes up by four percent every year.',
    parts: [
      'the Northwind contract renews by itself',
      'the price goes up by four percent every year',
    ],
  },
  {
    memory:
      'Our son Emil starts school in Lyon in September and needs a laptop with at least sixteen gigabytes, while our daughter Nora stays at the kindergarten on Rue Bellecombe.',
    parts: [
      'Emil needs a laptop with sixteen gigabytes',
      'Nora stays at the kindergarten on Rue Bellecombe',
    ],
  },
  {
    memory:
      'The deployment failed because the certificate of the staging gateway had expired on Sunday, and nobody had noticed since the alerts went to a mailbox of a colleague who left.',
    parts: [
      'the certificate of the staging gateway had expired',
      'alerts go to the mailbox of somebody who has left the company',
    ],
  },
  {
    memory:
      'For dinner on Saturday I would like to make the lamb with apricots from the blue book, for which we still need saffron and a bottle of dry white wine.',
    parts: ['we still need saffron', 'lamb with apricots for dinner on Saturday'],
  },
  {
    memory:
      'Grandfather, who turned ninety in May, takes two tablets of ramipril in the morning and one at night, sees Doctor Weiss every six weeks, and must not eat grapefruit.',
    parts: ['grandfather must not eat grapefruit', 'grandfather sees Doctor Weiss every six weeks'],
  },
  {
    memory:
      'The flat in Ghent has three rooms and a small garden, the heating was replaced last winter, the neighbours above play the cello, and the landlord asked for two monthly rents in advance.',
    parts: [
      'the heating in the flat was replaced last winter',
      'the landlord wants two monthly rents in advance',
    ],
  },
  {
    memory:
      'In the workshop it was agreed that invoices are written in euros from July on, that Priya answers for the new price list, and that discounts above ten percent need a second signature.',
    parts: [
      'discounts above ten percent need a second signature',
      'Priya is responsible for the new price list',
    ],
  },
  {
    memory:
      'On the trip to Madeira we hiked along the levadas for four days, lost a rucksack with both cameras in Funchal, and met a couple from Tartu who want to visit us in August.',
    parts: [
      'we lost a rucksack with both cameras in Funchal',
      'a couple from Tartu visits us in August',
    ],
  },
  {
    memory:
      'My new bicycle is a green touring frame from the eighties with a dynamo hub, the saddle is too narrow for long rides, and the lock, whose key I broke, still hangs at the station.',
    parts: [
      'the saddle of my bicycle is too narrow for long rides',
      'I broke the key of the bicycle lock',
    ],
  },
  {
    memory:
      'The choir rehearses on Thursdays in the hall behind the library, the concert is on the second Sunday in Advent, tenors are wanted, and whoever cannot come tells Mirjam by noon.',
    parts: [
      'the choir rehearses on Thursdays',
      'the concert takes place on the second Sunday in Advent',
    ],
  },
]
