import type { z } from 'zod'

/** An entry as its schema parses it. */
export interface ParsedByMember<T> {
  readonly value: T
  /** The value as JSON, with its members as `textOf` writes them. */
  readonly text: string
  readonly errors?: undefined
}

/** The result of a schema for a member's value: no value or text if the member is absent. */
interface Known {
  readonly value: unknown
  readonly text: string
}

/** The most values of a member to remember. */
const MAX_KNOWN = 4_096

/**
 * Returns a parser for entries whose members repeat: it asks the schema about each distinct value of a member once. The parser returns
 * undefined if the schema refuses the entry; the schema itself then says why. `textOf` writes the JSON of a member.
 */
export function parseByMember<T>(schema: z.ZodObject & z.ZodType<T>, textOf: (json: string) => string) {
  // Such a check would need the whole entry, which is never parsed here.
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
  /** The value of the previous entry. */
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
      if (this.#known.size === MAX_KNOWN) this.#known.clear()
      this.#known.set(sent, known)
    }
    this.#last = sent
    this.#lastKnown = known
    return known
  }
}
