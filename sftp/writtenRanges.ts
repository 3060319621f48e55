/** The ranges of a file that have been written, in any order and repeatedly. */
export interface WrittenRanges {
  /** Bytes of all ranges. */
  readonly bytes: number
  /** Returns how many bytes from `from` up to `to`, which is excluded, have not been written. */
  missing(from: number, to: number): number
  /** Returns false, and adds nothing, if there would be more ranges than allowed. */
  add(from: number, to: number): boolean
  /** Forgets what is at `size` and beyond; returns the number of bytes. */
  cut(size: number): number
}

interface Range {
  readonly from: number
  readonly to: number
}

/** `most` is the largest number of ranges, between which something is missing. */
export function writtenRanges(most: number): WrittenRanges {
  let ranges: readonly Range[] = []
  let bytes = 0
  const missing = (from: number, to: number) =>
    Math.max(0, to - from) - ranges.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0)
  return {
    get bytes() {
      return bytes
    },
    missing,
    add(from, to) {
      if (to <= from) return true
      const [before, after] = [ranges.filter((one) => one.to < from), ranges.filter((one) => one.from > to)]
      const touching = ranges.slice(before.length, ranges.length - after.length)
      const joined = { from: Math.min(from, touching[0]?.from ?? from), to: Math.max(to, touching.at(-1)?.to ?? to) }
      if (before.length + after.length >= most) return false
      bytes += missing(from, to)
      ranges = [...before, joined, ...after]
      return true
    },
    cut(size) {
      const before = bytes
      ranges = ranges.flatMap(({ from, to }) => (from < size ? [{ from, to: Math.min(to, size) }] : []))
      bytes = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
      return before - bytes
    },
  }
}
