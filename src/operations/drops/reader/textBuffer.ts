/** Growing text as UTF-8, overwritten after `clear`. It replaces a list of texts, which each garbage collection would copy. */
export class TextBuffer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  add(text: string): void {
    const needed = this.#length + text.length * MAX_BYTES
    if (needed > this.#buffer.length) this.#grow(needed)
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** The text; valid until the next `add`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}

const FIRST_BYTES = 64 * 1024
/** The most bytes of one UTF-16 code unit. */
const MAX_BYTES = 3
