import type { Avail } from '../../../contract/avail.ts'

/** Records which periods of products were seen, in about one bit each if the periods of a product's rows are dense. */
export class RepeatedPeriods {
  readonly #products = new Map<string, number>()
  /** Period numbers by grain, then by start. */
  readonly #periods = new Map<string, Map<string, number>>()
  #periodCount = 0
  /** A hash table with open addressing: the key of a page, and its periods that were seen. */
  #keys = new Float64Array(1024).fill(-1)
  #pages = new Uint32Array(1024)
  #used = 0

  /** Returns true if this product has occurred with this period before. */
  isRepeated(product: string, { grain, start }: Avail['period']): boolean {
    const periodNumber = this.#periodNumber(grain, start)
    const slot = this.#slotOf(numberOf(this.#products, product) * PAGES_PER_PRODUCT + Math.floor(periodNumber / PAGE))
    const bit = 1 << (periodNumber % PAGE)
    const page = this.#pages[slot] as number
    this.#pages[slot] = page | bit
    return (page & bit) !== 0
  }

  #periodNumber(grain: string, start: string): number {
    const starts = this.#periods.get(grain) ?? new Map<string, number>()
    const known = starts.get(start)
    if (known !== undefined) return known
    this.#periods.set(grain, starts.set(start, this.#periodCount))
    this.#periodCount += 1
    return this.#periodCount - 1
  }

  #slotOf(key: number): number {
    if (this.#used * 2 > this.#keys.length) this.#grow()
    const slot = slotIn(this.#keys, key)
    if (this.#keys[slot] === -1) {
      this.#keys[slot] = key
      this.#used += 1
    }
    return slot
  }

  #grow(): void {
    const [keys, pages] = [this.#keys, this.#pages]
    this.#keys = new Float64Array(keys.length * 2).fill(-1)
    this.#pages = new Uint32Array(keys.length * 2)
    for (const [at, key] of keys.entries()) {
      if (key === -1) continue
      const slot = slotIn(this.#keys, key)
      this.#keys[slot] = key
      this.#pages[slot] = pages[at] as number
    }
  }
}

/** The number of periods in a page. */
const PAGE = 32
const PAGES_PER_PRODUCT = 2 ** 20

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  numbers.set(name, numbers.size)
  return numbers.size - 1
}

function slotIn(keys: Float64Array, key: number): number {
  const mask = keys.length - 1
  let slot = (Math.imul(key % 0x7fffffff, 0x9e3779b1) >>> 7) & mask
  while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask
  return slot
}
