/**
 * A sorted list whose entries close one after another and never reopen. Finds the next or previous open entry in nearly constant time,
 * since each search shortens the path of later ones.
 */
export class OpenEntries<T> {
  private readonly entries: readonly T[]
  private readonly isOpen: (entry: T) => boolean
  private readonly positionOf: (entry: T) => number
  private readonly after: number[]
  private readonly before: number[]

  constructor(entries: readonly T[], isOpen: (entry: T) => boolean, positionOf: (entry: T) => number) {
    this.entries = entries
    this.isOpen = isOpen
    this.positionOf = positionOf
    this.after = entries.map((_, index) => index)
    this.before = entries.map((_, index) => index)
  }

  /** Returns the first open entry at a position or after it. */
  firstFrom(position: number): T | undefined {
    return this.follow(
      this.after,
      this.countBelow((entry) => this.positionOf(entry) < position),
      1,
    )
  }

  /** Returns the last open entry at a position or before it. */
  lastUpTo(position: number): T | undefined {
    return this.follow(this.before, this.countBelow((entry) => this.positionOf(entry) <= position) - 1, -1)
  }

  /** Follows the links to an open entry, and then points every link on the way to that entry. */
  private follow(links: number[], from: number, step: 1 | -1): T | undefined {
    let end = from
    while (end >= 0 && end < this.entries.length) {
      const link = links[end] as number
      if (link !== end) end = link
      else if (this.isOpen(this.entries[end] as T)) break
      else end += step
    }
    for (let index = from; index !== end && index >= 0 && index < links.length; ) {
      const link = links[index] as number
      links[index] = end
      index = link === index ? index + step : link
    }
    return this.entries[end]
  }

  private countBelow(isBelow: (entry: T) => boolean): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBelow(this.entries[middle] as T)) low = middle + 1
      else high = middle
    }
    return low
  }
}
