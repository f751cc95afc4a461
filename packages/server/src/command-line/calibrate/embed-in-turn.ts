// Embeds many texts a few at a time: enough to keep every worker busy, and few enough to be let in.

const IN_FLIGHT = 16

/** In the order of the items. When one fails, those beside it are finished first. */
export async function embedInTurn<Item, Embedded>(
  items: readonly Item[],
  embed: (item: Item) => Promise<Embedded>,
): Promise<Embedded[]> {
  const embedded: Embedded[] = []
  for (let first = 0; first < items.length; first += IN_FLIGHT) {
    const batch = items.slice(first, first + IN_FLIGHT).map(embed)
    await Promise.allSettled(batch)
    embedded.push(...(await Promise.all(batch)))
  }
  return embedded
}
