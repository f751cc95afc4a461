/** The folder that holds `manifest.json` and the files that it names. */
export const modelFolder: URL
