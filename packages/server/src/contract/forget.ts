// Forgetting a user, outside /v1: what is asked for, and what is answered.
// decisions/2026-11-27-forgetting-a-user.md
import { type Static, Type } from 'typebox'
import { identifier } from './fields.ts'

export const FORGET_PREFIX = '/forget'
export const FORGET_PATH = '/forget/memories'

export const ForgetUser = Type.Object({ userId: identifier() })
export type ForgetUser = Static<typeof ForgetUser>

/** `remaining`: memories of the user that are still there. Zero when all are forgotten. */
export type Forgotten = { deleted: number; remaining: number }
