/** Texts that reveal a leak: each may be read by a few known tenants and nobody else. */
export interface Canaries {
  /** Returns a new word, to be written in only one place, that the named readers may see. */
  word(where: string, readers: readonly string[]): string
  /** Does the same for a text that the platform made: an id, a token, a secret. */
  mark<Text extends string>(text: Text, where: string, readers: readonly string[]): Text
  /** Returns the places of all words and texts in `received` that the reader may not see. Texts in `sent` are echoes and do not count. */
  leaks(reader: string, received: string, sent: string): string[]
  readonly count: () => number
  /** Returns the places of the texts that none of their readers has received yet. */
  unseen(): string[]
}

interface Canary {
  where: string
  readers: readonly string[]
}

/** The forms of words, ids and tokens, and secrets. Each is searched for separately: hosts return in lower case, ids in URLs and lists. */
const FORMS = [/canary\d{5}/g, /[a-z]+_(?:test_)?[0-9a-z]{12,}/g, /whsec_[\w+/=]+/g]

export function newCanaries(): Canaries {
  const known = new Map<string, Canary>()
  const seen = new Set<Canary>()
  const mark: Canaries['mark'] = (text, where, readers) => {
    known.set(text.toLowerCase(), { where, readers })
    return text
  }
  return {
    mark,
    word: (where, readers) => mark(`canary${String(known.size).padStart(5, '0')}`, where, readers),
    leaks(reader, received, sent) {
      const small = received.toLowerCase()
      const found = new Set(FORMS.flatMap((form) => small.match(form) ?? []))
      const echoes = sent.toLowerCase()
      return [...found].flatMap((text) => {
        const canary = known.get(text)
        if (canary === undefined || echoes.includes(text)) return []
        if (canary.readers.includes(reader)) {
          seen.add(canary)
          return []
        }
        return [`${canary.where} (${canary.readers.join(', ')}): ${text}`]
      })
    },
    count: () => known.size,
    unseen: () => [...known.values()].filter((canary) => canary.readers.length > 0 && !seen.has(canary)).map(({ where }) => where),
  }
}
