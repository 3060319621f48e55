/** Returns the words of a search in lower case. */
export function wordsOf(q: string): string[] {
  return [...new Set(q.toLowerCase().split(/\s+/).filter(Boolean))]
}

/** How well some words are found in the texts of a thing, and the text that holds most of them. */
export interface Match {
  readonly score: number
  readonly text: string
}

/**
 * Matches words with the texts of a thing; undefined unless each word is in one of them. A whole text counts most, then the beginning of a text,
 * the beginning of a word, and any other place.
 */
export function matchOf(words: readonly string[], texts: readonly (string | undefined)[]): Match | undefined {
  const among = texts.filter((text) => text !== undefined && text !== '') as string[]
  const worths = among.map((text) => words.map((word) => worthOf(word, text.toLowerCase())))
  const bests = words.map((_, place) => Math.max(0, ...worths.map((ofText) => ofText[place] as number)))
  if (bests.includes(0)) return undefined
  const held = worths.map(sum)
  return { score: sum(bests), text: among[held.indexOf(Math.max(...held))] as string }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

const WORTH = { whole: 8, beginning: 4, word: 2, inside: 1 } as const

function worthOf(word: string, text: string): number {
  if (text === word) return WORTH.whole
  if (text.startsWith(word)) return WORTH.beginning
  const at = text.indexOf(word)
  if (at < 0) return 0
  return beginsWord(word, text) ? WORTH.word : WORTH.inside
}

function beginsWord(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')) return true
  }
  return false
}

/** Returns the best of some things, each with its match; of equals the first. */
export function bestOf<Thing>(
  things: readonly Thing[],
  words: readonly string[],
  textsOf: (thing: Thing) => readonly (string | undefined)[],
  max: number,
): { thing: Thing; match: Match }[] {
  return things
    .flatMap((thing) => {
      const match = matchOf(words, textsOf(thing))
      return match === undefined ? [] : [{ thing, match }]
    })
    .sort((one, other) => other.match.score - one.match.score)
    .slice(0, max)
}
