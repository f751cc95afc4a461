// Texts that people give as the value of an option, with the bounds that the contract has for them: what no
// record could have is wrong usage, before anything is done.
import { InvalidArgumentError } from 'commander'
import { isBlank, isStorable } from '../contract/storable.ts'

/** For commander. The length is in code points. */
export const boundedText =
  (lengthMax: number) =>
  (text: string): string => {
    if (!isBlank(text) && [...text].length <= lengthMax && isStorable(text)) return text
    throw new InvalidArgumentError(
      `It must have 1 to ${lengthMax} characters that are not all blank.`,
    )
  }
