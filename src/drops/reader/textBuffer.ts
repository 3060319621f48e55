/** Text that grows, as UTF-8. It is written over after `clear`. A list of texts instead would be copied by each collection of garbage. */
export class TextBuffer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #length = 0

  add(text: string): void {
    const needed = this.#length + text.length * MOST_BYTES
    if (needed > this.#buffer.length) this.#grow(needed)
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** Valid until the next `add`. */
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
/** Of one UTF-16 code unit. */
const MOST_BYTES = 3
