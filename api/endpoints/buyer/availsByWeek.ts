import { GRAINS, type Grain } from '../../../src/contract/vocabulary.ts'
import { weeksOfPeriod } from '../../../src/domain/calendar.ts'
import {
  type AvailEntry,
  type AvailsRequest,
  composeAvails,
  type Disclosed,
  type Published,
} from '../../../src/domain/discovery/composeAvails.ts'
import { isSelected } from '../../../src/domain/discovery/weekSelection.ts'
import { isOverAt } from '../../../src/domain/lines/pricing.ts'
import { inTurns } from '../../../src/operations/loopTurns.ts'
import { readAvailsOfGrain } from '../../../src/store/catalog/avails.ts'
import { type CardQuestion, countPricesPerWeek, readCurrentCardOfWeeks } from '../../../src/store/catalog/rateCards.ts'
import type { Reading } from '../../../src/store/connection/snapshot.ts'

export interface LargeProduct {
  readonly product: Disclosed
  readonly request: AvailsRequest
  readonly card: Omit<CardQuestion, 'weeks'>
  readonly answered: Published['answered']
  readonly now: string
}

/** The most prices to read and render at a time, superseded ones included, and the most weeks that they may cover. */
const PRICES = 2_500
const WEEKS = 53
const AVAILS = 500

/**
 * Yields the entries of one product that has more avails or prices than fit in memory: grain by grain, a few weeks at a time. It reads at
 * least one period, with all prices of the weeks it touches. `after` is the grain and start of the entry to start behind.
 */
export async function* availsByWeek(
  snapshot: Reading,
  { product, request, card, answered = [], now }: LargeProduct,
  after?: { readonly grain: Grain; readonly start: string },
): AsyncGenerator<AvailEntry[]> {
  const perWeek = await countPricesPerWeek(snapshot, card)
  for (const grain of after === undefined ? GRAINS : GRAINS.slice(GRAINS.indexOf(after.grain))) {
    let behind: string | undefined = grain === after?.grain ? after.start : ''
    while (behind !== undefined) {
      const place = { productId: product.product_id, grain, after: behind }
      const avails = await readAvailsOfGrain(snapshot, card.seller, place, { weeks: request.weeks, max: AVAILS })
      const last = avails.length < AVAILS ? undefined : avails.at(-1)?.period.start
      const priced =
        grain === 'week' ? [...perWeek.keys()].filter((week) => isBetween(week, behind, last) && isSelected(week, request.weeks)) : []
      const starts = [...new Set([...avails.map(({ period }) => period.start), ...priced])].sort()
      for (const { run, weeks } of runsOf(grain, starts, perWeek)) {
        const prices = weeks.length === 0 ? [] : await readCurrentCardOfWeeks(snapshot, card, weeks)
        const published = {
          avails: avails.filter(({ period }) => run.has(period.start)),
          prices: prices.filter((price) => !isOverAt(price, now)),
          answered,
        }
        const entries = await inTurns(composeAvails([product], published, request))
        yield entries.filter(({ period }) => period.grain === grain && run.has(period.start))
      }
      behind = last
    }
  }
}

function isBetween(week: string, after = '', last: string | undefined): boolean {
  return week > after && (last === undefined || week <= last)
}

/** Splits periods into runs that each touch few prices. */
function* runsOf(grain: Grain, starts: readonly string[], perWeek: ReadonlyMap<string, number>) {
  let run = new Set<string>()
  let weeks = new Map<string, number>()
  for (const start of starts) {
    const touched = weeksOfPeriod(grain, start).flatMap((week) => (perWeek.has(week) ? [[week, perWeek.get(week) ?? 0] as const] : []))
    const together = new Map([...weeks, ...touched])
    if (run.size > 0 && (together.size > WEEKS || sum(together.values()) > PRICES)) {
      yield { run, weeks: [...weeks.keys()] }
      run = new Set()
      weeks = new Map(touched)
    } else weeks = together
    run.add(start)
  }
  if (run.size > 0) yield { run, weeks: [...weeks.keys()] }
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, one) => total + one, 0)
}
