// Where a graph has more entities than a picture can show legibly: says how many are drawn, and offers more.
import { number } from '../../components/number.ts'

export const Amount = ({
  drawn,
  amounts,
  amount,
  isWhole,
  onAmount,
}: {
  drawn: number
  /** In ascending order; the last is the number of all entities. */
  amounts: readonly number[]
  amount: number
  /** False for the neighbourhood of an entity. */
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
