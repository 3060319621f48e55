import type { Cell } from '../../../adapters/tables/rowReader/table.ts'

/** Marks a value that rows cannot share. */
export const UNSHARED = Symbol('unshared')

/** The most values of a member to remember. */
const MAX_KNOWN = 4_096

/**
 * A member whose value is made from some cells of a row. Rows repeat the same few texts, so equal cells get the same value, which nobody
 * may change.
 */
export class SharedMember {
  readonly #places: readonly number[]
  readonly #make: (cells: readonly Cell[]) => unknown
  readonly #known = new Map<string, unknown>()
  /** The cells and the value of the previous row. */
  readonly #last: Cell[] = []
  #lastValue: unknown = UNSHARED

  /** `places` are the positions of its cells. `make` returns their value, or UNSHARED if they have none. */
  constructor(places: readonly number[], make: (cells: readonly Cell[]) => unknown) {
    this.#places = places
    this.#make = make
  }

  /** Returns the member's value in a row; undefined if its cells are empty, UNSHARED if it has no value or a new one in each row. */
  valueIn(cells: readonly Cell[]): unknown {
    if (this.#lastValue !== UNSHARED && this.#isAsBefore(cells)) return this.#lastValue
    const key = this.#keyOf(cells)
    if (key === undefined) return UNSHARED
    let value = this.#known.get(key)
    if (value === undefined) {
      value = this.#make(cells)
      if (value === UNSHARED) return UNSHARED
      if (this.#known.size === MAX_KNOWN) this.#known.clear()
      this.#known.set(key, value)
    }
    this.#remember(cells, value)
    return value
  }

  #isAsBefore(cells: readonly Cell[]): boolean {
    for (let index = 0; index < this.#places.length; index += 1)
      if (cells[this.#places[index] as number] !== this.#last[index]) return false
    return true
  }

  #remember(cells: readonly Cell[], value: unknown): void {
    for (let index = 0; index < this.#places.length; index += 1) this.#last[index] = cells[this.#places[index] as number]
    this.#lastValue = value
  }

  /** Returns a key for the cells; undefined if one is an object, such as a date. Cells with U+0000 have no value, so keys are unique. */
  #keyOf(cells: readonly Cell[]): string | undefined {
    let key = ''
    for (let index = 0; index < this.#places.length; index += 1) {
      const cell = cells[this.#places[index] as number] ?? ''
      if (typeof cell === 'object') return undefined
      const text = typeof cell === 'string' ? cell : String(cell)
      key = index === 0 ? text : `${key}\u0000${text}`
    }
    return key
  }
}
