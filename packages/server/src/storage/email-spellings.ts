// E-mail addresses that are one: an account is found by its address however that is written, and no two accounts
// have the same one.
import { domainToASCII, domainToUnicode } from 'node:url'

/** Without letter case, and otherwise as it was written. */
export const foldEmail = (email: string): string => email.normalize('NFC').toLowerCase()

const INTERNATIONAL = /[^ -~]|xn--/
/** What would be decoded, or end the domain, where it is read as a part of a URL. */
const NOT_OF_A_DOMAIN = /[%/?#\\]/

/**
 * What an address may be kept as: folded as it is written, with its domain in Punycode, and with its domain
 * in its own letters. They are one address and have one account, since a browser may send the one where
 * the other was typed. The second is the same for all that are one address.
 */
export function emailSpellings(email: string): [own: string, ascii: string, unicode: string] {
  const own = foldEmail(email)
  const start = own.lastIndexOf('@') + 1
  const domain = own.slice(start)
  const spelled = (convert: (domain: string) => string): string =>
    NOT_OF_A_DOMAIN.test(domain) || !INTERNATIONAL.test(domain)
      ? own
      : own.slice(0, start) + (convert(domain) || domain)
  return [own, spelled(domainToASCII), spelled(domainToUnicode)]
}
