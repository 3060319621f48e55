import { Unreadable } from '../unreadable.ts'
import { JSON_ENTRY_BYTES } from './limits.ts'

export type JsonPiece =
  | { readonly kind: 'entry'; readonly bytes: Buffer; readonly body: number | undefined }
  /** A body without its entries, sent after them. */
  | { readonly kind: 'body'; readonly bytes: Buffer }

type Member = 'name' | 'colon' | 'value' | 'rest'

/**
 * Cuts a stream of JSON into entries. It understands only brackets and strings; parsing a piece finds the faults inside it. An object
 * outside of any other value, or in an array that is the whole file, is a body if its member `list` is an array; otherwise it is an entry.
 */
export class JsonCutter {
  readonly #list: string
  #pieces: JsonPiece[] = []
  #entries = 0
  #bodies = 0
  /** The depth of bodies: 1 if the file is an array. */
  #base: number = 0
  #depth = 0
  #inList: boolean = false
  #inString: boolean = false
  #isEscaped: boolean = false
  /** Whether the value being captured is a number or a word. */
  #inWord: boolean = false
  #captured: Buffer[] = []
  #capturedBytes = 0
  /** The part of a body before its list. */
  #body: Buffer[] | undefined
  #isBody: boolean = false
  #next: 'value' | 'value or end' | 'comma or end' | 'end' = 'value or end'
  /** The next expected part of an object at the depth of bodies, and the name of its last member. */
  #member: Member = 'rest'
  #name: number[] = []

  constructor(list: string) {
    this.#list = list
  }

  /** Returns the pieces that a chunk completes, and the fault after them, if any. */
  take(chunk: Buffer): { pieces: readonly JsonPiece[]; fault?: Unreadable } {
    this.#pieces = []
    try {
      this.#scan(chunk)
      return { pieces: this.#pieces }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return { pieces: this.#pieces, fault: error }
    }
  }

  /** Ends the file and returns the last pieces. Errors: Unreadable if a value is not complete. */
  end(): readonly JsonPiece[] {
    this.#pieces = []
    if (this.#inWord && this.#depth === 0) this.#finish()
    if (this.#depth > 0 || this.#inString || this.#inWord) throw this.#fault('is cut off')
    return this.#pieces
  }

  #scan(chunk: Buffer): void {
    let from = this.#isCapturing ? 0 : -1
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#inString && !this.#isEscaped && !this.#isNaming) at = endOfPlain(chunk, at)
      if (at === chunk.length) break
      const byte = chunk[at] as number
      if (this.#inString) {
        if (this.#isEndOfString(byte) && this.#depth === this.#slot) from = this.#finishAt(chunk, from, at + 1)
        continue
      }
      if (this.#inWord && (isSpace(byte) || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT)) {
        from = this.#finishAt(chunk, from, at)
      }
      if (from === -1) from = this.#between(byte, at)
      else if (byte === QUOTE) {
        this.#inString = true
        this.#name = []
      } else if (byte === OPEN_LIST && this.#isList) {
        this.#capture(chunk, from, at + 1)
        this.#beginList()
        from = -1
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#depth += 1
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        this.#depth -= 1
        if (this.#depth === this.#slot) from = this.#finishAt(chunk, from, at + 1)
      } else if (this.#isAtMembers) this.#member = this.#memberAfter(byte)
    }
    if (from !== -1) this.#capture(chunk, from, chunk.length)
  }

  /** Handles a byte between values and returns where a value begins, or -1. */
  #between(byte: number, at: number): number {
    if (isSpace(byte)) return -1
    const isNested = this.#inList || this.#base === 1
    if (byte === COMMA && isNested && this.#next === 'comma or end') {
      this.#next = 'value'
      return -1
    }
    if (byte === CLOSE_LIST && isNested && this.#next !== 'value') return this.#endArray(at)
    if (this.#next === 'end' || this.#next === 'comma or end' || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT)
      throw this.#fault(`is not valid JSON: ${JSON.stringify(String.fromCharCode(byte))} is not expected`)
    if (byte === OPEN_LIST && this.#depth === 0 && this.#entries + this.#bodies === 0) {
      this.#base = 1
      this.#depth = 1
      return -1
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1
    else if (byte === QUOTE) this.#inString = true
    else this.#inWord = true
    this.#member = byte === OPEN_OBJECT ? 'name' : 'rest'
    return at
  }

  #endArray(at: number): number {
    this.#depth -= 1
    if (!this.#inList) {
      this.#base = 0
      this.#next = 'end'
      return -1
    }
    this.#inList = false
    this.#captured = this.#body ?? []
    this.#isBody = true
    this.#member = 'rest'
    return at
  }

  #beginList(): void {
    this.#body = this.#captured
    this.#captured = []
    this.#capturedBytes = 0
    this.#depth += 1
    this.#inList = true
    this.#isBody = false
    this.#next = 'value or end'
  }

  #isEndOfString(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#inString = false
      if (this.#isNaming) this.#member = 'colon'
      return true
    }
    if (this.#isNaming && this.#name.length < NAME_BYTES) this.#name.push(byte)
    return false
  }

  #memberAfter(byte: number): Member {
    if (isSpace(byte)) return this.#member
    if (byte === COMMA) return 'name'
    return byte === COLON && this.#member === 'colon' ? 'value' : 'rest'
  }

  #finishAt(chunk: Buffer, from: number, end: number): number {
    this.#capture(chunk, from, end)
    this.#finish()
    return -1
  }

  #finish(): void {
    const bytes = Buffer.concat(this.#captured)
    if (this.#isBody) {
      this.#pieces.push({ kind: 'body', bytes })
      this.#bodies += 1
    } else {
      this.#pieces.push({ kind: 'entry', bytes, body: this.#inList ? this.#bodies : undefined })
      this.#entries += 1
    }
    this.#isBody = false
    this.#inWord = false
    this.#captured = []
    this.#capturedBytes = 0
    this.#next = this.#inList || this.#base === 1 ? 'comma or end' : 'value or end'
  }

  #capture(chunk: Buffer, from: number, end: number): void {
    this.#captured.push(chunk.subarray(from, end))
    this.#capturedBytes += end - from
    if (this.#capturedBytes > JSON_ENTRY_BYTES)
      throw this.#fault(
        `is larger than ${JSON_ENTRY_BYTES} bytes${this.#inList ? '' : `; entries are expected in the member ${this.#list}`}`,
      )
  }

  get #isCapturing(): boolean {
    return this.#inString || this.#inWord || this.#depth > this.#slot
  }

  /** The depth of the values that are cut out. */
  get #slot(): number {
    return this.#inList ? this.#base + 2 : this.#base
  }

  get #isAtMembers(): boolean {
    return !this.#inList && this.#depth === this.#base + 1
  }

  /** Whether a string here is the name of a member that may be the list. */
  get #isNaming(): boolean {
    return this.#member === 'name' && this.#isAtMembers
  }

  /** Whether a bracket here opens the list of a body. */
  get #isList(): boolean {
    return this.#isAtMembers && this.#member === 'value' && String.fromCharCode(...this.#name) === this.#list
  }

  #fault(what: string): Unreadable {
    return new Unreadable(`entry ${this.#entries + 1} ${what}`, this.#entries + 1)
  }
}

/** Returns the position of the next quote or backslash. */
function endOfPlain(chunk: Buffer, from: number): number {
  let at = from
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1
  return at
}

/** Longer than the name of any list. */
const NAME_BYTES = 32

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
