/** Before each case file of the run on PostgreSQL: fresh data is a database on its server. */
import { inject } from 'vitest'
import { nameServer } from './databases.ts'

nameServer(inject('postgresUrl'))
