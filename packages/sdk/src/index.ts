// What the package offers.
export { Mnemograph, type MnemographOptions } from './client.ts'
export type * from './entities.ts'
export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  type KnownErrorCode,
  MnemographError,
  TimeoutError,
} from './errors.ts'
export type * from './memories.ts'
export type { Fetch, FetchRequest } from './one-try.ts'
export type { Page, PageRequest, Pagination } from './page.ts'
export type { Deleted } from './records.ts'
export type * from './relations.ts'
export type { CreateOptions, RequestOptions } from './send.ts'
