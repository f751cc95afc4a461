/** The model that the tests' vectors are said to come from. */
export const MODEL = { id: 'test', dimension: 5 }
