/** The ranges of a file that have been written, in any order and repeatedly. */
export interface WrittenRanges {
  /** Bytes of all ranges. */
  readonly bytes: number
  readonly count: number
  /** Adds the range from `from` up to `to`, which is excluded. */
  add(from: number, to: number): void
  /** Forgets what is at `size` and beyond. */
  cut(size: number): void
}

export function writtenRanges(): WrittenRanges {
  // The ends of all ranges in order, [from, to, from, to, ...], since a client that sends many parts at once makes thousands.
  let ends: number[] = []
  let bytes = 0
  /** The number of ends below a place, or up to it. */
  const endsBelow = (place: number, isIncluded: boolean) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const end = ends[middle] as number
      if (end < place || (isIncluded && end === place)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    get bytes() {
      return bytes
    },
    get count() {
      return ends.length / 2
    },
    add(from, to) {
      if (to <= from) return
      // An odd number of ends below a place means that it is in a range, which begins one end before.
      const [first, last] = [endsBelow(from, false), endsBelow(to, true)]
      const joinedFrom = first % 2 === 1 ? (ends[first - 1] as number) : from
      const joinedTo = last % 2 === 1 ? (ends[last] as number) : to
      const begin = first % 2 === 1 ? first - 1 : first
      const removed = ends.splice(begin, (last % 2 === 1 ? last + 1 : last) - begin, joinedFrom, joinedTo)
      bytes += joinedTo - joinedFrom - lengthOf(removed)
    },
    cut(size) {
      const kept = endsBelow(size, false)
      ends = kept % 2 === 1 ? [...ends.slice(0, kept), size] : ends.slice(0, kept)
      bytes = lengthOf(ends)
    },
  }
}

function lengthOf(ends: readonly number[]): number {
  let length = 0
  for (let at = 0; at < ends.length; at += 2) length += (ends[at + 1] as number) - (ends[at] as number)
  return length
}
