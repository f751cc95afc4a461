/** What has to be known to open a model: the bundled or another local one, or one of a service. */
export type EmbedderConfig =
  | {
      kind: 'local'
      workers: number
      /** The folder of another model than the bundled one. */
      modelDirectory?: string | undefined
    }
  | {
      kind: 'openai'
      baseUrl: string
      apiKey: string | undefined
      calibrationFile?: string | undefined
      model: string
      dimension: number
      timeoutMs: number
      retries: number
    }
