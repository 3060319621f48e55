import type { z } from 'zod'

/** An entry as its schema reads it. */
export interface ParsedByMember<T> {
  readonly value: T
  /** The value as JSON, whose members are as `textOf` writes them. */
  readonly text: string
  readonly errors?: undefined
}

/** What a schema makes of a value of a member: no value or text if it is absent. */
interface Known {
  readonly value: unknown
  readonly text: string
}

/** The most values of a member to remember. */
const MOST_KNOWN = 4_096

/**
 * Returns a parser for entries whose members come again: it asks the schema about each value of a member once. It returns undefined for an entry that
 * the schema refuses, which says why when it is asked for the whole entry. `textOf` writes the JSON of a member.
 */
export function parseByMember<T>(schema: z.ZodObject & z.ZodType<T>, textOf: (json: string) => string) {
  // Such a check sees no whole entry here.
  if ((schema.def.checks ?? []).length > 0) throw new Error('the schema checks members against each other')
  const members = Object.keys(schema.shape).map((name) => new Member(name, schema, textOf))
  return (entry: object): ParsedByMember<T> | undefined => {
    const value: Record<string, unknown> = {}
    let text = ''
    for (const member of members) {
      const known = member.knownOf((entry as Record<string, unknown>)[member.name])
      if (known === undefined) return undefined
      if (known.text === '') continue
      value[member.name] = known.value
      text = text === '' ? known.text : `${text},${known.text}`
    }
    return { value: value as T, text: `{${text}}` }
  }
}

class Member {
  readonly name: string
  readonly #ask: (sent: unknown) => Known | undefined
  readonly #known = new Map<unknown, Known | undefined>()
  /** Of the entry before. */
  #last: unknown
  #lastKnown: Known | undefined

  constructor(name: string, schema: z.ZodObject, textOf: (json: string) => string) {
    this.name = name
    const alone = schema.pick({ [name]: true } as Record<string, true>)
    this.#ask = (sent) => {
      const { success, data } = alone.safeParse(sent === undefined ? {} : { [name]: sent })
      return success ? { value: data[name], text: textOf(JSON.stringify(data).slice(1, -1)) } : undefined
    }
    this.#lastKnown = this.#ask(undefined)
  }

  knownOf(sent: unknown): Known | undefined {
    if (sent === this.#last) return this.#lastKnown
    let known = this.#known.get(sent)
    if (known === undefined && !this.#known.has(sent)) {
      known = this.#ask(sent)
      if (this.#known.size === MOST_KNOWN) this.#known.clear()
      this.#known.set(sent, known)
    }
    this.#last = sent
    this.#lastKnown = known
    return known
  }
}
