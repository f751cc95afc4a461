import type { MemoryFilter } from '../../api/memories.ts'

/** What the address of the memories page says: the filter, the page, and the open memory. */
export type MemorySearchParams = MemoryFilter & { open?: string | undefined }
