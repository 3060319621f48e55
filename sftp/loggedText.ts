/** The most characters of a stranger's text in a line of the log. */
const LONGEST = 128

/** Returns what a stranger has sent as the log may hold it, so that nobody fills the log with a name of any length. */
export function loggedText(sent: string): string {
  return sent.length <= LONGEST ? sent : `${sent.slice(0, LONGEST - 1)}…`
}
