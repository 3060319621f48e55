import { createHash } from 'node:crypto'
import type { Avail } from '../../contract/avail.ts'
import type { Product } from '../../contract/product.ts'
import type { PublishEffect } from '../../contract/publishEffect.ts'
import { canonicalJson } from '../../domain/canonicalJson.ts'
import { effectTally } from '../../domain/publish/effect.ts'
import type { PricedEntry } from '../../domain/publish/stageRateCard.ts'
import { Refusal } from '../../domain/refusal.ts'
import { findProducts } from '../../store/catalog/catalog.ts'
import { findAvails, findPrices, openOrdersCiting } from '../../store/catalog/inForce.ts'
import type { Publishing } from '../../store/catalog/publishLock.ts'
import { batches } from '../../store/connection/batches.ts'
import type { IsSeen } from '../../store/tenants/documentVersion.ts'

/** A publish as its sender asks for it: as a dry run, or only if nothing has changed since the sender looked. */
export interface PublishRequest {
  readonly dryRun: boolean
  readonly isSeen: IsSeen
}

/** The changes that a publish would make, and the state that they start from. */
export interface EffectFrom {
  readonly effect: PublishEffect
  /** A hash of what the publish would replace. Publishing anything else leaves it unchanged. */
  readonly basis: string
}

/** Fails with CONFLICT if the publish would replace what its sender has not seen. One that replaces nothing is a repeat and passes. */
export async function requireBasis({ isSeen }: PublishRequest, effectFrom: () => Promise<EffectFrom>): Promise<void> {
  if (isSeen === undefined) return
  const { basis, effect } = await effectFrom()
  if (isSeen(basis) || effect.added + effect.changed + effect.ended === 0) return
  const message = 'What this publish replaces has changed since its dry run: run it again and look at the new effect.'
  throw new Refusal('CONFLICT', message, { field: 'If-Match', basis })
}

/** The entries compared at a time, so that no request waits long for another. */
const BATCH = 500

export async function catalogEffect({ sql, seller }: Publishing, products: readonly Product[]): Promise<EffectFrom> {
  const tally = effectTally()
  const basis = createHash('sha256').update('catalog')
  // The published ones are read as they are, so that few large ones are compared at a time.
  for (const some of batches(withText(products), BATCH)) {
    const published = await findProducts(
      sql,
      seller,
      some.map(({ after }) => after.product_id),
    )
    for (const { after } of some) {
      const before = published.get(after.product_id)
      basis.update(canonicalJson([after.product_id, before ?? null]))
      tally.add({ product_id: after.product_id, start: null, before, after, ends: after.status === 'withdrawn' })
    }
  }
  return { effect: tally.effect(), basis: basisOf(basis) }
}

function* withText(products: readonly Product[]): Generator<{ after: Product; text: string }> {
  for (const after of products) yield { after, text: JSON.stringify(after) }
}

export async function availsEffect({ sql, seller }: Publishing, avails: readonly Avail[]): Promise<EffectFrom> {
  const tally = effectTally()
  const basis = createHash('sha256').update('avails')
  for (let from = 0; from < avails.length; from += BATCH) {
    const some = avails.slice(from, from + BATCH)
    const published = await findAvails(sql, seller, some)
    for (const [index, after] of some.entries()) {
      const { product_id, period } = after
      const before = published[index]
      basis.update(canonicalJson([product_id, period, before ?? null]))
      tally.add({ product_id, start: period.start, before, after })
    }
  }
  return { effect: tally.effect(), basis: basisOf(basis) }
}

/** Returns the changes of prices per ISO week, compared with those in force in the commit's scope. */
export async function cardEffect(
  { sql, seller, currency }: Publishing,
  entries: readonly PricedEntry[],
  agreementId: string | undefined,
): Promise<EffectFrom> {
  const tally = effectTally()
  const basis = createHash('sha256').update('card')
  const replaced: string[] = []
  for (const some of byWeeks(entries)) {
    const keys = some.flatMap(({ entry, weeks }) => weeks.map((week) => ({ week, entry })))
    const published = await findPrices(sql, seller, agreementId ?? null, keys)
    for (const [index, { week, entry }] of keys.entries()) {
      const { product_id } = entry
      const inForce = published[index]
      const after = priceOf(entry, currency)
      basis.update(canonicalJson([product_id, week, inForce?.locked_rate_id ?? null]))
      const change = tally.add({ product_id, start: week, before: inForce?.price, after })
      if (inForce !== undefined && change === 'changed' && replaced.length < MAX_REPLACED) replaced.push(inForce.locked_rate_id)
    }
  }
  return { effect: tally.effect(await openOrdersCiting(sql, seller, replaced)), basis: basisOf(basis) }
}

/** The most replaced prices for which open orders are searched. */
const MAX_REPLACED = 50_000

function priceOf(entry: PricedEntry['entry'], currency: string): object {
  const { spot_length, market_class, advertiser_class, buy_type, clearance_tier, gross_rate_unit, gross_rate_cpm } = entry
  const { guaranteed_impressions, audience_code, window, quote_expires_at } = entry
  const price = { gross_rate_unit, gross_rate_cpm, currency: entry.currency ?? currency, guaranteed_impressions, audience_code }
  const times = { window_opens: utc(window?.opens), window_closes: utc(window?.closes), quote_expires_at: utc(quote_expires_at) }
  return { spot_length, market_class, advertiser_class, buy_type, clearance_tier, ...price, ...times }
}

function utc(stamp: string | undefined): string | undefined {
  return stamp === undefined ? undefined : new Date(stamp).toISOString()
}

/** Yields batches of entries that together have a few thousand weeks. */
function* byWeeks(entries: readonly PricedEntry[]): Generator<PricedEntry[]> {
  let some: PricedEntry[] = []
  let weeks = 0
  for (const entry of entries) {
    some.push(entry)
    weeks += entry.weeks.length
    if (weeks < 4 * BATCH) continue
    yield some
    some = []
    weeks = 0
  }
  if (some.length > 0) yield some
}

function basisOf(hash: ReturnType<typeof createHash>): string {
  return hash.digest('base64url').slice(0, 22)
}
