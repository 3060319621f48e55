import type { DiffQuery, RateCardDiff, RatesQuery, RatesRead } from '../../../src/contract/publishedReads.ts'
import { weeksBetween } from '../../../src/domain/calendar.ts'
import { availRate } from '../../../src/domain/discovery/availRate.ts'
import { weekSelection } from '../../../src/domain/discovery/weekSelection.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { type CommitDifference, commitBefore, diffCommits, readPricesInForce } from '../../../src/store/catalog/ownRates.ts'
import { readCommit } from '../../../src/store/catalog/rateCards.ts'
import type { Call } from '../../http/call.ts'
import { writeCursor } from '../../http/cursor.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** The most weeks of one request, and the number of weeks read at once. */
const MAX_WEEKS = 520
const WEEKS_PER_BATCH = 4

/** GET /me/rates: whole weeks, until the page has `limit` prices. */
export const getRates: Handler<undefined, RatesQuery> = async (deps, { caller, query }) => {
  const { product_id, weeks, limit, cursor } = query
  const page: Page = { bound: ['rates', caller.entity, product_id, weeks], limit, cursor }
  const [from = ''] = positionOf(deps, page) ?? []
  const asked = weeksOf(weeks).filter((week) => week >= from)
  const rates: RatesRead['rates'] = []
  let at = 0
  for (; at < asked.length && rates.length < limit; at += WEEKS_PER_BATCH) {
    const some = asked.slice(at, at + WEEKS_PER_BATCH)
    const prices = await deps.pages.inTurn(caller.entity, () => readPricesInForce(deps.db, caller.entity, product_id, some))
    for (const { commit, agreement_id, ...price } of prices) {
      const scope = agreement_id === null ? {} : { agreement_id }
      rates.push({ product_id, week: price.week, ...availRate({ ...price, agreement_id }), commit, ...scope })
    }
  }
  const next = asked[at]
  return ok({ rates, next_cursor: next === undefined ? null : writeCursor(deps.cursorKey, page.bound, [next]) } satisfies RatesRead)
}

function weeksOf(text: string): string[] {
  const weeks = new Set<string>()
  for (const { first_day, last_day } of weekSelection(text)) {
    for (const week of weeksBetween(first_day, last_day)) weeks.add(week)
    if (weeks.size > MAX_WEEKS)
      throw new Refusal('INVALID_INPUT', `weeks names more than ${MAX_WEEKS} weeks.`, { field: 'weeks', most: MAX_WEEKS })
  }
  return [...weeks].sort()
}

/** GET /me/rate-cards/{commit}/diff. */
export const getRateCardDiff: Handler<undefined, DiffQuery> = async (deps, { caller, params, query }) => {
  const { commit, commit_no } = await requireCommit(deps, caller, params.commit ?? '')
  const { against, limit, cursor } = query
  const other = against === undefined ? await commitBefore(deps.db, caller.entity, commit_no) : await namedCommit(deps, caller, against)
  const page: Page = { bound: ['rate-card-diff', caller.entity, commit, other?.commit ?? ''], limit, cursor }
  const [after] = positionOf(deps, page) ?? []
  const { counts, items: found } = await deps.pages.inTurn(caller.entity, () =>
    diffCommits(deps.db, commit_no, other?.commit_no, { after, limit: limit + 1 }),
  )
  const { items, next_cursor } = pageOf(deps, page, found, ({ key }) => [key])
  return ok({ commit, against: other?.commit ?? null, ...counts, items: items.map(difference), next_cursor } satisfies RateCardDiff)
}

async function requireCommit({ db }: Deps, { entity }: Call['caller'], name: string) {
  const commit = await readCommit(db, entity, name)
  if (commit === undefined) throw new Refusal('NOT_FOUND', 'There is no such commit.')
  return commit
}

async function namedCommit({ db }: Deps, { entity }: Call['caller'], name: string) {
  const commit = await readCommit(db, entity, name)
  if (commit === undefined)
    throw new Refusal('INVALID_INPUT', `against must name a commit of yours; ${name.slice(0, 40)} was sent.`, { field: 'against' })
  return commit
}

function difference({ change, before, after, ...key }: CommitDifference): RateCardDiff['items'][number] {
  const { product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier } = key
  const tier = clearance_tier === null ? {} : { clearance_tier }
  return {
    change,
    product_id,
    week,
    spot_length,
    market_class,
    advertiser_class,
    buy_type,
    ...tier,
    before: price(before),
    after: price(after),
  }
}

function price(of: CommitDifference['before']): RateCardDiff['items'][number]['before'] {
  if (of === null) return null
  const { locked_rate_id, gross_rate_unit, gross_rate_cpm, currency } = of
  return {
    locked_rate_id,
    ...(gross_rate_unit !== null && { gross_rate_unit: Number(gross_rate_unit) }),
    ...(gross_rate_cpm !== null && { gross_rate_cpm: Number(gross_rate_cpm) }),
    currency,
  }
}
