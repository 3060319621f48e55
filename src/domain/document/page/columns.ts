import { type Extent, overlaps } from '../cells.ts'
import type { Heading } from '../headings/compose.ts'

/** Returns the column of each band; `either` where an empty heading beside it leaves a choice, undefined where it fits none. */
export function matched(
  bands: readonly Extent[],
  headings: readonly Heading[],
  taken: ReadonlySet<number>,
): (number | 'either' | undefined)[] {
  const open = headings
    .map((_, at) => at)
    .filter((at) => !taken.has(at) || bands.some((band) => overlaps(band, headings[at] as Heading, 0.5)))
  const best = bestMatch(bands, headings, open)
  const used = new Set(best)
  const isAnchored = (band: number) => overlaps(bands[band] as Extent, headings[best[band] as number] as Heading, 0.2)
  const result: (number | 'either' | undefined)[] = [...best]
  for (const empty of open.filter((at) => !used.has(at) && !taken.has(at))) {
    for (const step of [-1, 1]) {
      let band =
        step < 0 ? best.findLastIndex((at) => at !== undefined && at < empty) : best.findIndex((at) => at !== undefined && at > empty)
      let target = empty
      while (
        band >= 0 &&
        band < bands.length &&
        best[band] !== undefined &&
        !isAnchored(band) &&
        fits(bands[band] as Extent, target, headings, open)
      ) {
        result[band] = 'either'
        target = best[band] as number
        band += step
      }
    }
  }
  return result
}

/** A band can be of a heading if no other one stands between them. */
function fits(band: Extent, at: number, headings: readonly Heading[], open: readonly number[]): boolean {
  const heading = headings[at] as Heading
  const between = (other: Heading) =>
    band.left > heading.right
      ? other.left >= heading.right && other.right <= band.left
      : other.right <= heading.left && other.left >= band.right
  return overlaps(band, heading) || !open.some((other) => other !== at && between(headings[other] as Heading))
}

/** Finds the assignment of bands to headings that keeps their order, gives a heading one band at most, and stands them nearest. */
function bestMatch(bands: readonly Extent[], headings: readonly Heading[], open: readonly number[]): (number | undefined)[] {
  // costs[i][j]: the least cost of the first i bands on the first j open headings.
  const costs: number[][] = [Array.from({ length: open.length + 1 }, () => 0)]
  const took: (boolean | undefined)[][] = [[]]
  bands.forEach((band, i) => {
    const before = costs[i] as number[]
    const row = [(before[0] ?? 0) + LOOSE]
    const choice: (boolean | undefined)[] = [undefined]
    open.forEach((at, j) => {
      const gap = apart(band, headings[at] as Heading)
      const take = fits(band, at, headings, open) ? (before[j] ?? 0) + (gap < 0 ? 0 : 1 + gap) : Number.POSITIVE_INFINITY
      const skipHeading = row[j] ?? 0
      const skipBand = (before[j + 1] ?? 0) + LOOSE
      const least = Math.min(take, skipHeading, skipBand)
      row.push(least)
      choice.push(least === take ? true : least === skipHeading ? undefined : false)
    })
    costs.push(row)
    took.push(choice)
  })
  const result: (number | undefined)[] = bands.map(() => undefined)
  let [i, j] = [bands.length, open.length]
  while (i > 0) {
    const choice = j === 0 ? false : took[i]?.[j]
    if (choice === true) {
      result[i - 1] = open[j - 1]
      i -= 1
      j -= 1
    } else if (choice === undefined) j -= 1
    else i -= 1
  }
  return result
}

/** The cost, in points, of a band that is below no heading. */
const LOOSE = 10_000

/** Returns the gap between two extents; negative by what they share. */
export function apart(a: Extent, b: Extent): number {
  return Math.max(a.left, b.left) - Math.min(a.right, b.right)
}
