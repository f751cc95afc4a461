// Reads the compose file as Compose does: with anchors resolved, and a function that fills in variables.
import { type Static, Type } from 'typebox'
import { parse } from 'yaml'
import { held, Texts, textOf } from './text.ts'

const Compose = Type.Object({
  services: Type.Record(
    Type.String(),
    Type.Object({
      image: Type.String(),
      environment: Texts,
      restart: Type.String(),
      healthcheck: Type.Optional(Type.Object({ test: Type.Array(Type.String()) })),
      volumes: Type.Optional(Type.Array(Type.String())),
      ports: Type.Optional(Type.Array(Type.String())),
      networks: Type.Unknown(),
      user: Type.Optional(Type.String()),
      privileged: Type.Optional(Type.Literal(false)),
      read_only: Type.Optional(Type.Boolean()),
      stop_grace_period: Type.Optional(Type.String()),
    }),
  ),
  volumes: Type.Record(Type.String(), Type.Unknown()),
})

/** The compose file, with variables not yet filled in. */
export const readCompose = (): Static<typeof Compose> =>
  held(Compose, parse(textOf('deploy/compose.yaml'), { merge: true }))

const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g

/** What Compose makes of a text: a given value, else the default; throws when a required one is missing. */
export function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_whole, name: string, kind?: string, rest = '') => {
    const value = given[name]
    if (value) return value
    if (kind === '-') return rest
    throw new Error(`${name} is not set: ${rest}`)
  })
}

/** The containers that run this repository's image. */
export const instancesOf = ({ services }: Static<typeof Compose>) =>
  Object.values(services).filter(({ image }) => image.startsWith('mnemograph:'))
