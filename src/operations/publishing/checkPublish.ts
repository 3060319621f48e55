import type { z } from 'zod'
import { dropAbsentNulls } from '../../contract/absentNulls.ts'
import { Avail, AvailsUpdate, PutAvails } from '../../contract/avail.ts'
import { faultsOf } from '../../contract/errorEnvelope.ts'
import { AvailsReply, CatalogReply, CatalogUpdate, Product, PutCatalog, RateCardReply } from '../../contract/product.ts'
import { PutRateCard, RateCardCommit, RateEntry } from '../../contract/rateCard.ts'
import { unknownFaults, unknownMembers } from '../../contract/unknownMembers.ts'
import { PUBLISH_BYTES } from '../../contract/vocabulary/bounds.ts'
import { inBodyOrder } from '../../domain/bodyOrder.ts'
import { envelopeOf } from '../../domain/envelope.ts'
import { refuseGrainConflicts, weekPrices } from '../../domain/publish/grainConflict.ts'
import { firstEntries, pricedValues } from '../../domain/publish/pricedEntries.ts'
import { priceWarnings } from '../../domain/publish/priceWarnings.ts'
import { type ProductTerms, termsOf } from '../../domain/publish/productTerms.ts'
import { stageAvails } from '../../domain/publish/stageAvails.ts'
import { stageCatalog } from '../../domain/publish/stageCatalog.ts'
import type { Parsed } from '../../domain/publish/staged.ts'
import { costFaults, stageRateCard } from '../../domain/publish/stageRateCard.ts'
import { unorderablePrices, unsoldPeriods } from '../../domain/publish/unorderable.ts'
import { unpricedWarnings } from '../../domain/publish/unpriced.ts'
import { Refusal, refuseIfAny } from '../../domain/refusal.ts'
import { strictJson } from '../../domain/strictJson.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { parseEntries } from './parseEntries.ts'

/** The endpoint that a body would be sent to. */
type Kind = 'catalog' | 'rate-cards' | 'avails'

/** The server's answer to a body, and what could not be determined without the server. */
export interface Checked {
  readonly answer: object
  readonly rejects: boolean
  readonly notes: readonly string[]
}

/**
 * Returns the server's answer to the bytes of a publish; undefined if they are not a publish. `catalog` holds the currently published
 * products, if known.
 */
export async function checkPublish(bytes: Uint8Array, catalog: ReadonlyMap<string, Product> | undefined): Promise<Checked | undefined> {
  let body: unknown
  try {
    if (bytes.length > PUBLISH_BYTES) throw new Refusal('PAYLOAD_TOO_LARGE', 'The body is larger than this endpoint takes.')
    body = strictJson(bytes)
    const kind = kindOf(body)
    if (kind === undefined) return undefined
    dropAbsentNulls(SHOWN[kind], body)
    const { outcome, notes } = await stage(kind, body, catalog)
    return { answer: { endpoint: `PUT /v1/me/${kind}`, ...outcome }, rejects: outcome.rejected > 0, notes }
  } catch (error) {
    const refusal = inBodyOrder(error, body)
    if (!(refusal instanceof Refusal)) throw refusal
    return { answer: envelopeOf(refusal), rejects: true, notes: [] }
  }
}

interface StagedBody {
  readonly outcome: Outcome & { taxonomy_version?: string; commit?: string }
  readonly notes: readonly string[]
}

/** Tells the kind of a body by its members: a catalog has products, a card has entries, and avails have avails. */
function kindOf(body: unknown): Kind | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const kinds = (Object.keys(MEMBERS) as Kind[]).filter((kind) => Object.hasOwn(body, MEMBERS[kind]))
  return kinds.length === 1 ? kinds[0] : undefined
}
export const MEMBERS: Readonly<Record<Kind, string>> = { catalog: 'products', 'rate-cards': 'entries', avails: 'avails' }
/** The body of each with its entries. */
const SHOWN: Readonly<Record<Kind, z.ZodType>> = { catalog: CatalogUpdate, 'rate-cards': RateCardCommit, avails: AvailsUpdate }

/** Stages a body with the server's own schemas and stages, over nothing published except the catalog. */
async function stage(kind: Kind, body: unknown, catalog: ReadonlyMap<string, Product> | undefined): Promise<StagedBody> {
  switch (kind) {
    case 'catalog':
      return checkCatalog(envelope(PutCatalog, CatalogReply, body), catalog ?? new Map())
    case 'rate-cards':
      return checkRateCard(envelope(PutRateCard, RateCardReply, body), catalog)
    case 'avails':
      return checkAvails(envelope(PutAvails, AvailsReply, body), catalog)
  }
}

/** Returns the products that publishing a catalog body or read would leave. Omits and counts the invalid ones. */
export async function catalogOf(products: readonly unknown[]): Promise<{ products: Map<string, Product>; leftOut: number }> {
  const { parsed } = await parseEntries(Product, 'products', products)
  const { accepted } = stageCatalog([], parsed)
  return { products: new Map(accepted.map(({ value }) => [value.product_id, value])), leftOut: products.length - accepted.length }
}

function envelope<T>(schema: z.ZodType<T>, reply: z.ZodType, body: unknown): T {
  const result = schema.safeParse(body)
  refuseIfAny([...faultsOf(schema, result.error?.issues ?? [], body), ...unknownFaults(unknownMembers([schema, reply], body))])
  return result.data as T
}

async function checkCatalog(put: PutCatalog, catalog: ReadonlyMap<string, Product>): Promise<StagedBody> {
  const { parsed, ...read } = await parseEntries(Product, 'products', put.products)
  const known = [...catalog.values()].map(({ product_id, external_ref = null }) => ({ product_id, external_ref }))
  const staged = stageCatalog(known, parsed)
  const outcome = outcomeOf(put.products, read, { ...staged, warnings: unpricedWarnings(staged.accepted, []) })
  const notes = ['No rate card is known here: every declared value counts as unpriced, and no GRAIN_CONFLICT with a card is found.']
  return { outcome: { taxonomy_version: put.taxonomy_version, ...outcome }, notes }
}

async function checkRateCard(put: PutRateCard, catalog: ReadonlyMap<string, Product> | undefined): Promise<StagedBody> {
  const { parsed, ...read } = await parseEntries(RateEntry, 'entries', put.entries)
  refuseIfAny(costFaults(put.entries))
  const products = catalog ?? new Map<string, Product>()
  const staged = stageRateCard(
    put.effective,
    new Set(catalog?.keys() ?? parsed.map(({ value }) => value.product_id)),
    parsed,
    USUAL_CURRENCY,
  )
  const byMonth = new Set([...products.values()].filter(({ grains }) => grains.includes('month')).map(({ product_id }) => product_id))
  refuseGrainConflicts(byMonth, weekPrices(staged.accepted, USUAL_CURRENCY, put.agreement_id))
  const warnings = [
    ...unorderablePrices(staged.accepted, termsIn(products), new Date().toISOString()),
    ...priceWarnings(staged.accepted, USUAL_CURRENCY),
    ...unpricedWarnings(firstEntries(staged.accepted, products), pricedValues(staged.accepted)),
  ]
  const notes = [
    ...(catalog === undefined ? ['Without --catalog every product_id passes, and months and declared values are not compared.'] : []),
    'The cards published before are not known here, nor whether the name of this commit is free.',
  ]
  return { outcome: { commit: put.commit, ...outcomeOf(put.entries, read, { ...staged, warnings }) }, notes }
}

function termsIn(products: ReadonlyMap<string, Product>): Map<string, ProductTerms> {
  return new Map([...products].map(([id, product]) => [id, termsOf(product)]))
}

/** The currency of a seller that has not chosen another (choices, Rate entry). */
const USUAL_CURRENCY = 'USD'

async function checkAvails(put: PutAvails, catalog: ReadonlyMap<string, Product> | undefined): Promise<StagedBody> {
  const { parsed, ...read } = await parseEntries(Avail, 'avails', put.avails)
  const staged = stageAvails(catalog ?? soldAsCounted(parsed), parsed)
  const notes =
    catalog === undefined ? ['Without --catalog every product_id passes, and a product counts what its first entry counts.'] : []
  return { outcome: outcomeOf(put.avails, read, { ...staged, warnings: unsoldPeriods(staged.accepted, catalog ?? new Map()) }), notes }
}

/** Returns products without a catalog entry, each with the buy type that its first avail implies. */
function soldAsCounted(avails: readonly Parsed<Avail>[]): Map<string, Pick<Product, 'buy_types'>> {
  const sold = new Map<string, Pick<Product, 'buy_types'>>()
  for (const { value } of avails) {
    if (sold.has(value.product_id)) continue
    const guaranteed = value.units !== undefined && value.spots === undefined
    sold.set(value.product_id, { buy_types: [guaranteed ? 'audience_guaranteed' : 'preemptible'] })
  }
  return sold
}
