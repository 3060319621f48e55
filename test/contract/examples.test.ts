import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { readSheets } from '../../src/adapters/tables/tableReader.ts'
import { Avail, type AvailsRead, PutAvails } from '../../src/contract/avail.ts'
import { CancelOrder } from '../../src/contract/cancelOrder.ts'
import { ConfirmOrder } from '../../src/contract/confirmOrder.ts'
import { CreateOrder } from '../../src/contract/createOrder.ts'
import { DecideOrder } from '../../src/contract/decideOrder.ts'
import { Product, PutCatalog } from '../../src/contract/product.ts'
import { PutRateCard, RateEntry } from '../../src/contract/rateCard.ts'
import { RespondOrder } from '../../src/contract/respondOrder.ts'
import { SellerProfile } from '../../src/contract/seller.ts'
import { stageAvails } from '../../src/domain/publish/stageAvails.ts'
import { stageCatalog } from '../../src/domain/publish/stageCatalog.ts'
import { costFaults, stageRateCard } from '../../src/domain/publish/stageRateCard.ts'
import { citedRates, fillConfirm, fillCounter, fillOrder, weeksOfOrder } from '../../src/local/demo/fillOrder.ts'
import { documentOf } from '../support/orders/readTables.ts'

const FOLDER = new URL('../../docs/examples/', import.meta.url)
const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8'))
const parsed = <T>(values: T[]) => values.map((value, index) => ({ index, value }))

describe.each(['summit', 'ktvl-10'])('docs/examples: %s', (seller) => {
  const catalog = async () => PutCatalog.parse(await read(`${seller}-catalog`)).products.map((product) => Product.parse(product))

  it('publishes a catalog of which every product is accepted', async () => {
    const { errors, accepted } = stageCatalog([], parsed(await catalog()))
    expect(errors).toEqual([])
    expect(accepted.length).toBeGreaterThanOrEqual(4)
  })

  it('publishes a card of which every entry is accepted and prices a week', async () => {
    const { effective, entries } = PutRateCard.parse(await read(`${seller}-rate-card`))
    expect(effective).toEqual({ start: '2026-12-28', end: '2027-03-28' })
    expect(costFaults(entries)).toEqual([])
    const known = new Set((await catalog()).map(({ product_id }) => product_id))
    const { errors, accepted } = stageRateCard(effective, known, parsed(entries.map((entry) => RateEntry.parse(entry))), 'USD')
    expect(errors).toEqual([])
    expect(accepted.filter(({ weeks }) => weeks.length === 0)).toEqual([])
  })

  it('publishes avails of which every one is accepted', async () => {
    const products = new Map((await catalog()).map((product) => [product.product_id, product]))
    const avails = PutAvails.parse(await read(`${seller}-avails`)).avails.map((avail) => Avail.parse(avail))
    expect(stageAvails(products, parsed(avails)).errors).toEqual([])
  })
})

describe('docs/examples: order', () => {
  it('is a valid create once its placeholders are filled from an avails read', async () => {
    const order = CreateOrder.parse(await read('order'))
    const cited = citedRates(order, availsReadFor(order))
    const filled = CreateOrder.parse(fillOrder(order, cited, 'ext-1'))
    expect(filled.external_order_id).toBe('ext-1')
    expect(filled.line_items?.map(({ rate }) => rate.locked_rate_id)).toEqual(['lr_0', 'lr_1', 'lr_2', 'lr_3', 'lr_4'])
  })

  it('spans the three grains and a guaranteed line', async () => {
    const { line_items = [] } = CreateOrder.parse(await read('order'))
    expect(new Set(line_items.map(({ period }) => period.grain))).toEqual(new Set(['day', 'week', 'month']))
    expect(line_items.map(({ rate }) => rate.buy_type)).toContain('audience_guaranteed')
    expect(weeksOfOrder(CreateOrder.parse(await read('order')))).toBe('2027-W05..2027-W08')
  })

  it('says in one sentence which line has no price', async () => {
    const order = CreateOrder.parse(await read('order'))
    expect(() => citedRates(order, { avails: [] })).toThrow('smt-sports-prime has no price for 30 s non_preemptible in 2027-W05.')
  })
})

describe('docs/examples: commands', () => {
  it('decides and cancels with valid bodies', async () => {
    for (const name of ['decide', 'decide-document']) expect(DecideOrder.parse(await read(name)).decision).toBe('approve')
    expect(CancelOrder.parse(await read('cancel')).reason).toBe('advertiser_postponed')
  })

  it('counters a line of an order that is valid too, and answers it', async () => {
    const order = CreateOrder.parse(await read('negotiated-order'))
    const filled = CreateOrder.parse(fillOrder(order, citedRates(order, availsReadFor(order)), 'ext-2'))
    expect(filled.line_items?.map(({ period }) => period.start)).toEqual(['2027-W06', '2027-W08'])
    const counter = fillCounter(DecideOrder.parse(await read('counter')), ['unit_1', 'unit_2'])
    expect(counter).toMatchObject({ decision: 'counter', units: [{ unit_id: 'unit_1', counter: { week: '2027-W07', unit_cost: 3950 } }] })
    expect(RespondOrder.parse(await read('respond')).action).toBe('accept')
  })

  it('orders by a buysheet of which one line is unresolved, and resolves it', async () => {
    expect(CreateOrder.parse(await read('document-order')).document).toMatchObject({ format: 'csv' })
    expect(SellerProfile.parse(await read('summit-capabilities')).modes.document).toBe(true)
    const sheet = documentOf(await readSheets(await readFile(new URL('buysheet.csv', FOLDER)), 'csv'), '2027-02-01')
    expect(sheet?.lines.map(({ period, units }) => [period?.value?.start, units?.read])).toEqual([
      ['2027-W05', '6'],
      ['2027-W06', '2'],
      ['2027-W07', '4'],
      ['2027-W05', '10'],
      ['2027-W07', '10'],
    ])
    const unresolved = { line: 2, field: 'rate', read: '$4,200.00', at: 'D4', message: '', published: [{ locked_rate_id: 'lr_1' }] }
    const filled = fillConfirm(ConfirmOrder.parse(await read('confirm')), { unresolved: [unresolved] })
    expect(filled.resolutions).toEqual([{ line: 2, locked_rate_id: 'lr_1' }])
    // At another price than the sheet's, the amount of the line's row and that of the order no longer tie.
    const priced = sheet?.totals.flatMap(({ of, at }, index) => (of === 'gross' ? [[`eq_${index + 1}`, at]] : []))
    expect(priced).toEqual([['eq_2', 'I4'], ['eq_4', 'I5'], ['eq_9', 'I6']]) // biome-ignore format: pairs
    expect(filled.acknowledge).toEqual(['eq_2', 'eq_9'])
  })

  it('orders by a buysheet of an agency, whose lines name no products and prove its totals', async () => {
    const sheet = documentOf(await readSheets(await readFile(new URL('agency-buysheet.csv', FOLDER)), 'csv'), '2026-12-01')
    expect(
      sheet?.lines.map(({ network, days, start, end, period, kind }) =>
        [network, days, start, end, kind].map((of) => of?.read).concat(period?.value?.start),
      ),
    ).toEqual([
      ...['W05', 'W07'].map((week) => ['Summit Sports', 'Mon Tue Wed Thu Fri Sat Sun', '19:00', '23:00', 'paid', `2027-${week}`]),
      ...['W05', 'W06', 'W07'].map((week) => ['Summit Kitchen', 'Mon Tue Wed Thu Fri', '09:00', '16:00', 'paid', `2027-${week}`]),
      ...['W05', 'W07'].map((week) => ['Summit Sports', 'Mon Tue Wed Thu Fri', '20:00', '23:00', 'paid', `2027-${week}`]),
      ...['W05', 'W06', 'W07'].map((week) => ['Summit Kitchen', 'Mon Tue Wed Thu Fri', '09:00', '16:00', 'bonus', `2027-${week}`]),
    ])
    expect([sheet?.family, sheet?.doubts.flat(), sheet?.questions]).toEqual(['week_columns', [], []])
  })

  it('holds no file that the others do not name', async () => {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort()
    const published = ['ktvl-10', 'summit'].flatMap((seller) => ['avails', 'catalog', 'rate-card'].map((what) => `${seller}-${what}.json`))
    const commands = [
      'agreement',
      'approval-rules',
      'avails-request',
      'buyer',
      'cancel',
      'change-endpoint',
      'confirm',
      'counter',
      'creative',
      'credit-variance',
      'decide',
      'decide-document',
      'dispute-variance',
      'document-order',
      'hold',
      'issue-as-of',
      'elapse',
      'make-tenant',
      'sandbox-order',
      'test-event',
      'makegood-accept',
      'makegood-notice',
      'makegood-recall',
      'manifest',
      'mapping',
      'mark-paid',
      'negotiated-order',
      'notice-upload',
      'order',
      'plan',
      'proposal-order',
      'queue',
      'redeliver',
      'resend-edi',
      'respond',
      'rotate-secret',
      'secret',
      'summit-capabilities',
      'upload',
      'webhook-endpoint',
    ]
    expect(names).toEqual([...commands.map((name) => `${name}.json`), ...published].sort())
  })
})

/** An avails read that shows, per line, a price that fits it after one that does not. */
function availsReadFor({ line_items = [] }: CreateOrder): AvailsRead {
  return {
    avails: line_items.map(({ product_id, period, spot_length, rate }, index) => {
      const { market_class, advertiser_class, buy_type, clearance_tier, cpm, unit_cost, currency } = rate
      const fitting = {
        locked_rate_id: `lr_${index}`,
        spot_length,
        buy_type,
        market_class,
        advertiser_class,
        ...(clearance_tier === undefined ? {} : { clearance_tier }),
        ...(cpm === undefined
          ? { rate_basis: 'per_unit' as const, gross_rate_unit: unit_cost ?? 0 }
          : { rate_basis: 'cpm' as const, gross_rate_cpm: cpm }),
        currency,
      }
      return { product_id, period, state: 'available', rates: [{ ...fitting, locked_rate_id: 'other', spot_length: 5 }, fitting] }
    }),
  }
}
