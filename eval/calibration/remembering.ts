// Judges each calibration only once: the folds of a cross-validation visit many of the same.
import type { Calibration } from './evidence.ts'

export function remembering<Result>(
  judge: (calibration: Calibration) => Result,
): (calibration: Calibration) => Result {
  const known = new Map<string, Result>()
  return (calibration) => {
    const key = JSON.stringify(calibration)
    const result = known.get(key) ?? judge(calibration)
    known.set(key, result)
    return result
  }
}
