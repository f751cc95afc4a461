// A simple search for the best weights: one weight after the other is moved a step up or down as long as that
// helps, then the steps become smaller. It is deterministic, and ends at round values.

export type Weights = Readonly<Record<string, number>>

/** Largest first. All are multiples of the smallest, so that weights stay round. */
const STEPS = [0.08, 0.04, 0.02, 0.01]
const ROUNDS_MAX = 20
/** Smaller gains are noise, and move nothing. */
const GAIN_MIN = 0.0002

/** The best weights found. They never fall below 0, since more evidence must not lower a score. */
export function climb(start: Weights, objective: (weights: Weights) => number): Weights {
  let best = { weights: start, value: objective(start) }
  const offer = (weights: Weights): boolean => {
    const value = objective(weights)
    if (value < best.value + GAIN_MIN) return false
    best = { weights, value }
    return true
  }
  for (const step of STEPS) {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const moved = Object.keys(start).filter((name) =>
        [step, -step].some((change) => offer(moveWeight(best.weights, name, change))),
      )
      if (moved.length === 0) break
    }
  }
  return best.weights
}

const moveWeight = (weights: Weights, name: string, change: number): Weights => {
  const value = Math.max(0, (weights[name] ?? 0) + change)
  return { ...weights, [name]: Math.round(value * 1_000) / 1_000 }
}
