/**
 * The line of each value of a JSON text, by its JSON pointer: that of its name, or of the value itself in a list. The text is read once, and
 * as far as it is JSON.
 */
export function jsonLines(text: string): Map<string, number> {
  return new Scanner(text).scan().lines
}

/** Returns the line at which a text stops being JSON; undefined if it is JSON. */
export function lineOfFault(text: string): number | undefined {
  const scanner = new Scanner(text).scan()
  return scanner.isWhole ? undefined : scanner.line
}

/** Returns the line of a value, or of the nearest one around it. */
export function lineOfPointer(lines: ReadonlyMap<string, number>, pointer: string): number | undefined {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const line = lines.get(at)
    if (line !== undefined || at === '') return line
  }
}

class Scanner {
  readonly lines = new Map<string, number>()
  line = 1
  isWhole = false
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): this {
    try {
      this.#value('')
      this.#blank()
      this.isWhole = this.#at === this.#text.length
    } catch (error) {
      // A text that is nested too deeply for the stack is read as far as it goes too.
      if (!(error instanceof Broken) && !(error instanceof RangeError)) throw error
    }
    return this
  }

  #value(pointer: string): void {
    this.#blank()
    if (!this.lines.has(pointer)) this.lines.set(pointer, this.line)
    const first = this.#text[this.#at]
    if (first === '{') this.#list('}', () => this.#member(pointer))
    else if (first === '[') {
      let index = 0
      this.#list(']', () => this.#value(`${pointer}/${index++}`))
    } else if (first === '"') this.#string()
    else this.#token(/[-+.\w]+/y)
  }

  #member(pointer: string): void {
    this.#blank()
    const line = this.line
    const name = this.#string()
    this.#blank()
    this.#token(/:/y)
    const own = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    this.lines.set(own, line)
    this.#value(own)
  }

  #list(end: string, item: () => void): void {
    this.#at += 1
    this.#blank()
    if (this.#text[this.#at] === end) {
      this.#at += 1
      return
    }
    for (;;) {
      item()
      this.#blank()
      const next = this.#text[this.#at]
      if (next !== ',' && next !== end) throw new Broken()
      this.#at += 1
      if (next === end) return
    }
  }

  #string(): string {
    const text = this.#token(/"(?:[^"\\\n]|\\.)*"/y)
    try {
      return JSON.parse(text) as string
    } catch {
      throw new Broken()
    }
  }

  #token(form: RegExp): string {
    form.lastIndex = this.#at
    const found = form.exec(this.#text)?.[0]
    if (found === undefined) throw new Broken()
    this.#at += found.length
    return found
  }

  #blank(): void {
    for (; ; this.#at += 1) {
      const character = this.#text[this.#at]
      if (character === '\n') this.line += 1
      else if (character !== ' ' && character !== '\t' && character !== '\r') return
    }
  }
}

class Broken extends Error {}
