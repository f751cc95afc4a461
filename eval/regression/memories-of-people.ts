// People, tastes, health, home and conversation: the first half of the memories of the regression
// set. All are invented. The name before the colon is what the questions refer to.

export const MEMORIES_OF_PEOPLE = {
  // What an assistant notes about its user.
  seats: 'The user prefers window seats on trains and aisle seats on planes.',
  bullets: 'The user prefers answers in short bullet points.',
  darkMode: 'The user prefers dark mode in every editor.',
  varda: 'The user likes films by Agnès Varda.',
  greenTea: 'The user drinks green tea in the morning and takes it without sugar.',
  vegetarian: 'The user is a vegetarian but eats fish on holidays.',
  firstName: 'The user wants to be addressed by the first name.',
  messages: 'The user dislikes phone calls and would rather get a message.',
  portuguese: 'The user is learning Portuguese with an app, about fifteen minutes a day.',
  football: 'The user supports the football club St. Pauli.',
  partTime: 'The user works part-time, four days a week, with Fridays off.',
  burgundy: "The user's favourite colour is burgundy.",
  pens: 'The user collects fountain pens.',
  crimeNovels: 'The user reads mostly crime novels from Scandinavia.',
  pixel: 'The user has a dog called Pixel, a young border collie.',
  hazelnuts: 'The user is allergic to hazelnuts and carries an adrenaline pen.',
  bloodGroup: 'Blood group of the user: 0 negative.',

  // Health.
  stretching:
    'Dr. Ferreira recommended ten minutes of stretching every morning against the back pain.',
  ramipril: 'Grandpa takes ramipril 5 mg in the morning and simvastatin at night.',
  coffeeSleep: 'I sleep badly whenever I drink coffee after two in the afternoon.',
  dentist: 'The next check of the teeth is on 12 June at 8:20 with Dr. Okonkwo.',
  glasses: 'My new glasses have -2.25 on the left and -1.75 on the right.',
  noRunning: 'The physiotherapist says no running for three weeks; cycling is fine.',
  tetanus: 'Mila got her tetanus booster in August 2024.',
  oatMilk: 'Since the spring Theo drinks oat milk, as ordinary milk gives him cramps.',

  // Family, friends, neighbours.
  abernathy: 'Mr. Abernathy from the second floor feeds the cat while we are away.',
  leila: "Leila's birthday is on 29 February; she celebrates on the first of March.",
  twins: 'My brother Tomasz and his wife expect twins in the autumn.',
  siobhan: 'The new head of sales is called Siobhán Gallagher.',
  cello: 'Mrs. Nakamura teaches the children the cello on Wednesdays.',
  ravi: 'Ravi left the bank and opened a bicycle workshop.',
  vineyard: 'Ingrid and Paulo get married in a vineyard near Évora on 14 September.',
  tartu:
    'My grandmother grew up on a farm outside Tartu and spoke Estonian with her three brothers.',
  accountant: 'Write to the accountant at h.lindqvist@balans-revision.example before the tenth.',
  landlord: "The landlord's new address is property+rent@mcallister-homes.example",
  babysitter: 'The babysitter Olivia can be reached under +44 7700 900 316.',
  dmitri: 'Uncle Dmitri lives at Kastanienallee 27b, 10435 Berlin.',
  shelter: 'On Saturdays I sort donated clothes at the shelter by the station.',

  // Home and money.
  guestWifi: 'The password of the guest wifi is maple-otter-58.',
  gardenKey: 'The spare key of the garden house hangs behind the barometer.',
  chimney: 'The chimney sweep comes every spring, usually in the week before Easter.',
  hallway: 'The hallway was painted in the shade RAL 7044.',
  orchid: 'The orchid on the windowsill gets water once a week, the cactus once a month.',
  meter:
    'The electricity meter has the number 1EMH0012345678; its reading in January was 18,204 kWh.',
  rent: 'The rent goes up by 45 euros in April.',
  paper: 'Paper is collected every second Thursday, glass has to be taken to the container.',
  bikeLock: 'The combination of the bicycle lock is 7-3-9-1.',
  mortgage: 'The mortgage of the house is fixed at 2.1 percent until 2031.',
  iban: "The rowing club's account is DE44 5001 0517 5407 3249 31.",
  taxReturn: 'The tax return has to be handed in by the end of July.',
  plumTree: 'The plum tree carries fruit only every other year.',
  van: 'The licence plate of the van is KA-RT 2096; the next inspection is due in May.',
  insurance:
    'The household insurance has the policy number HH-5520-91-C and a deductible of 150 euros.',

  // Food.
  sourdough: 'The sourdough rests overnight in the fridge and bakes for 45 minutes at 230 degrees.',
  curry:
    'For the chickpea curry: fry cumin and ginger first, add the tomatoes, then a tin of coconut milk.',
  jam: 'Apricot jam needs one part of sugar to two parts of fruit and the juice of a lemon.',
  borscht: "Grandma's borscht gets its colour from beetroot that is grated raw and added last.",
  tiramisu: 'Six eggs, 500 g mascarpone and strong espresso: the tiramisu serves eight.',
  dressing: 'The salad dressing that everybody liked had tahini, maple syrup and lime.',

  // Turns of a conversation.
  marathon: 'Anna: I finally finished the marathon, four hours and eleven minutes!',
  tortoise: 'Ben: We adopted a tortoise from the rescue centre, the kids call her Captain.',
  bowls: 'Anna: My pottery teacher asked me to exhibit three bowls in the town hall.',
  shipyard: 'Ben: I lost my job at the shipyard last week, it came out of nowhere.',
  knee: 'Anna: The surgeon said that my knee will be as good as new by Christmas.',
  countryside: 'Ben: We are thinking of moving to the countryside once the baby is here.',
  thanks: 'Anna: Thank you, that means the world to me!',
  tomorrow: 'Ben: Haha, see you tomorrow then.',
  halifax: 'Anna: I grew up in Halifax and only came here to study.',
  drums: 'Ben: The band plays its first concert on Saturday, I am so nervous behind the drums.',
  scholarship: 'Anna: I applied for the scholarship in marine biology.',
  octopus: 'Ben: That documentary about octopuses made me give up eating them.',
  istanbul:
    'Clara: Our flight was cancelled, so we spent the night at the airport in Istanbul. [shares a photo of people asleep on benches]',
  mural: 'Clara: I am painting a mural for the library, mostly whales and lighthouses.',
  weekend: 'Clara: How was your weekend? Mine was lovely.',
}
