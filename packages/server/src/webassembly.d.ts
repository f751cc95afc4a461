// What the server uses of WebAssembly, which Node has but @types/node does not describe.

declare namespace WebAssembly {
  class Memory {
    constructor(pages: { initial: number; maximum: number; shared: true })
    readonly buffer: SharedArrayBuffer
    /** By some pages; views of the buffer do not reach what was added. */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
