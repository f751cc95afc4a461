// Points in time on the wire: ISO 8601 in UTC with milliseconds. Inside, they are milliseconds.
import { Type } from 'typebox'

export const Timestamp = Type.String({ format: 'date-time' })
