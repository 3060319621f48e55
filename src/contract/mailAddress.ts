const LONGEST_LOCAL = 64
const LONGEST = 254
/** Everything that RFC 5321 allows without quotes, except `%` and `!`, which old relays use for routing. */
const LOCAL = /^[A-Za-z0-9#$&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9#$&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/**
 * Returns true for one mail address as `local@domain.tld` in ASCII. It goes into an envelope unchanged, so nothing that a mail server or a
 * library could read as more than one address is allowed: no quotes, comments, lists, literals, source routes or line ends.
 */
export function isMailAddress(text: string): boolean {
  const at = text.indexOf('@')
  if (text.length > LONGEST || at < 1 || at > LONGEST_LOCAL) return false
  const labels = text.slice(at + 1).split('.')
  return (
    LOCAL.test(text.slice(0, at)) && labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
