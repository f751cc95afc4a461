// How many of the entities are drawn, where that are more than can be told apart: it is said, and one can ask
// for more, or for all.
import { number } from '../../components/number.ts'

export const Amount = ({
  drawn,
  amounts,
  amount,
  isWhole,
  onAmount,
}: {
  drawn: number
  /** The last one is all of them. */
  amounts: readonly number[]
  amount: number
  /** And not the neighbourhood of an entity. */
  isWhole: boolean
  onAmount: (amount: number) => void
}) => {
  const total = amounts.at(-1) ?? 0
  if (amounts.length < 2) return null
  return (
    <div className="row amount">
      <fieldset className="segments">
        <legend className="visually-hidden">Entities drawn</legend>
        {amounts.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="amount"
              checked={amount === each}
              onChange={() => onAmount(each)}
            />
            {each === total ? `All ${number(each)}` : number(each)}
          </label>
        ))}
      </fieldset>
      <p className="quiet small" role="status">
        {drawn < total
          ? `${number(drawn)} of ${number(total)} entities are drawn, ${isWhole ? 'the best connected' : 'the nearest'} first. An opened one brings its neighbours.`
          : `All ${number(total)} entities are drawn.`}
      </p>
    </div>
  )
}
