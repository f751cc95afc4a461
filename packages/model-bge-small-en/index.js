// Where the model's files lie. `manifest.json` describes them; its paths are relative to this folder.
export const modelFolder = new URL('./model/', import.meta.url)
