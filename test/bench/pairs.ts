/** One run: the figure in question, and the counters that noise on the machine cannot move. */
export interface Sample {
  value: number
  counters: Counters
}
export type Counters = Readonly<Record<string, number>>

/** A line of the table. */
export interface Row {
  id: string
  work: string
  against: string
  unit: string
  ours: number
  limit: number | null
  ratio: number | null
  /** Smallest and largest ratio of the pairs. */
  spread: { readonly lowest: number; readonly highest: number } | null
  pairs: number
  goal: string
  met: boolean
  counters: { ours: Counters; limit: Counters }
}

export interface Pairing {
  pairs: number
  ours(): Promise<Sample>
  limit(): Promise<Sample>
  onProgress(text: string): void
}

export type Paired = Pick<Row, 'ours' | 'limit' | 'ratio' | 'spread' | 'pairs' | 'counters'> & { limit: number; ratio: number }

/** Limit and ours by turns (A B B A), after one run of each that nobody counts: what drifts on the machine meets both alike. */
export async function comparePairs({ pairs, ours, limit, onProgress }: Pairing): Promise<Paired> {
  await limit()
  await ours()
  const limits: Sample[] = []
  const mine: Sample[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) limits.push(await limit())
    mine.push(await ours())
    if (pair % 2 === 1) limits.push(await limit())
    onProgress(`pair ${pair + 1} of ${pairs}: ${rounded(mine[pair]?.value ?? 0)} against ${rounded(limits[pair]?.value ?? 0)}`)
  }
  const ratios = mine.map(({ value }, pair) => value / (limits[pair]?.value ?? Number.NaN))
  return {
    pairs,
    ours: median(mine.map(({ value }) => value)),
    limit: median(limits.map(({ value }) => value)),
    ratio: median(ratios),
    spread: { lowest: Math.min(...ratios), highest: Math.max(...ratios) },
    counters: { ours: medians(mine), limit: medians(limits) },
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

function medians(samples: readonly Sample[]): Counters {
  const names = new Set(samples.flatMap(({ counters }) => Object.keys(counters)))
  return Object.fromEntries([...names].map((name) => [name, median(samples.flatMap(({ counters }) => counters[name] ?? []))]))
}
