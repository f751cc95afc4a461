// The Dockerfile as a list of instructions, which is all that the checks need of its grammar.
import { textOf } from './text.ts'

/** One instruction, with its continued lines joined and without comments; stages are numbered from 0. */
type Instruction = { name: string; text: string; stage: number }

export function readDockerfile(): Instruction[] {
  const whole = textOf('deploy/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
  let stage = -1
  return whole.split('\n').flatMap((line) => {
    const [name, ...rest] = line.split(' ')
    if (name === undefined || name === '') return []
    if (name === 'FROM') stage += 1
    return [{ name, text: rest.join(' ').trim(), stage }]
  })
}

/** What ENV gives to the server. */
export const environmentOf = (instructions: readonly Instruction[]): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => text.split(' '))
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=')
        return [name, value] as const
      }),
  )
