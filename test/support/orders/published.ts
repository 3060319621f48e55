import type { WeekPrice } from '../../../src/domain/publish/grainConflict.ts'

/** Bodies of publishes that are valid as they are; a test names only what matters to it. */

export function aProduct(product_id: string, more: Record<string, unknown> = {}) {
  return {
    product_id,
    type: 'daypart',
    network: 'CBL',
    definition: {
      selling_title: 'Prime',
      days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
      start: '20:00',
      end: '23:00',
      timezone: 'America/New_York',
    },
    buy_types: ['preemptible'],
    ...more,
  }
}

export function aRate(product_id: string, more: Record<string, unknown> = {}) {
  const cost = 'gross_rate_cpm' in more ? {} : { gross_rate_unit: 1250.5 }
  return { product_id, market_class: 'scatter', advertiser_class: 'general', spot_length: 30, buy_type: 'preemptible', ...cost, ...more }
}

export function anAvail(product_id: string, more: Record<string, unknown> = {}) {
  return { product_id, period: { grain: 'week', start: '2026-W50' }, state: 'available', spots: { available: 12 }, ...more }
}

/** Three whole ISO weeks: 2026-W50 to 2026-W52. */
export const THREE_WEEKS = { start: '2026-12-07', end: '2026-12-27' }

/** A range from long ago until far in the future. */
export const ALWAYS = { start: '2020-01-01', end: '2099-12-31' }

export function anAgreement(more: Record<string, unknown> = {}) {
  return { buyer_entity: 'acme', effective: ALWAYS, ...more }
}

export function aCatalog(...products: unknown[]) {
  return { taxonomy_version: 'tax-1', products }
}

export function aCard(commit: string, entries: unknown[], more: Record<string, unknown> = {}) {
  return { commit, effective: THREE_WEEKS, entries, ...more }
}

/** Returns a price of a week as the database stores it, for the grain check. */
export function aWeekPrice(week: string, more: Partial<WeekPrice> = {}): WeekPrice {
  return {
    product_id: 'm',
    week,
    market_class: 'scatter',
    advertiser_class: 'general',
    spot_length: 30,
    buy_type: 'preemptible',
    clearance_tier: null,
    gross_rate_unit: '100',
    gross_rate_cpm: null,
    currency: 'USD',
    guaranteed_impressions: null,
    audience_code: null,
    agreement_id: null,
    ...more,
  }
}
