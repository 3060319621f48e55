import { describe, expect, it } from '@jest/globals'
import { Product } from '../../../src/contract/product.ts'
import type { RateEntry } from '../../../src/contract/rateCard.ts'
import type { DropEntry } from '../../../src/domain/drops/dropEntry.ts'
import { type DropEntries, type DropFacts, integrityError, type StagedDrop, stageDrop } from '../../../src/domain/drops/stageDrop.ts'
import type { DropCommit, EarlierCommit } from '../../../src/domain/drops/stageDropCommit.ts'
import { type ProductTerms, termsOf } from '../../../src/domain/publish/productTerms.ts'
import { aProduct, aRate, aWeekPrice, THREE_WEEKS } from '../../support/orders/published.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const product = (product_id: string, more: Record<string, unknown> = {}) => termsOf(Product.parse(aProduct(product_id, more)))
const rows = <T>(file: string, values: readonly T[]): DropEntry<T>[] =>
  values.map((value, index) => ({ file, row: index + 2, rows: 1, value }))
const commit = (name: string, rates: readonly object[], more: Partial<DropCommit> = {}): DropCommit => ({
  commit: name,
  effective: THREE_WEEKS,
  agreement_id: undefined,
  body_sha256: `hash of ${name}`,
  has_unread_rows: false,
  entries: rows('rates.csv', rates as RateEntry[]),
  ...more,
})

const NOTHING: DropFacts = {
  known: [],
  room: undefined,
  products: new Map(),
  earlier: new Map(),
  agreements: new Set(),
  currentPrices: [],
  priced: [],
  currency: 'USD',
  now: '2026-11-01T00:00:00.000Z',
}
const published = (...products: ProductTerms[]): Pick<DropFacts, 'known' | 'products'> => ({
  known: products.map(({ product_id, external_ref = null }) => ({ product_id, external_ref })),
  products: new Map(products.map((one) => [one.product_id, one])),
})

function stage(entries: Partial<DropEntries<ProductTerms>>, facts: Partial<DropFacts> = {}): StagedDrop {
  const steps = stageDrop({ products: [], commits: [], ...entries }, { ...NOTHING, ...facts })
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}
const refused = (...args: Parameters<typeof stage>) => refusalOf(() => stage(...args))

describe('stageDrop: dependency order (contract, File drops)', () => {
  it('holds rates to the catalog as the drop leaves it', () => {
    const staged = stage(
      { products: rows('catalog.csv', [product('new')]), commits: [commit('c', [aRate('new'), aRate('old'), aRate('no')])] },
      published(product('old')),
    )
    expect(staged.errors).toEqual([
      expect.objectContaining({ file: 'rates.csv', row: 4, error_code: 'UNKNOWN_PRODUCT_ID', field: 'product_id', value: 'no' }),
    ])
    expect(staged.counts).toEqual({ catalog: { rows_written: 1, rows_rejected: 0 }, rate_cards: { rows_written: 2, rows_rejected: 1 } })
  })

  it('leaves no product of a refused row for a new product: its dependents are unknown', () => {
    const mirrored = product('new', { mirror_product_id: 'nowhere' })
    const staged = stage({ products: rows('catalog.csv', [mirrored]), commits: [commit('c', [aRate('new')])] })
    expect(staged.products).toEqual([])
    expect(staged.errors.map(({ file, error_code, value }) => [file, error_code, value])).toEqual([
      ['catalog.csv', 'UNKNOWN_PRODUCT_ID', 'nowhere'],
      ['rates.csv', 'UNKNOWN_PRODUCT_ID', 'new'],
    ])
  })

  it('carries the prior definition of an existing product forward, and holds its dependents to it', () => {
    const prior = product('old', { grains: ['week'], spot_lengths: [30] })
    const refusedRow = product('old', { spot_lengths: [15], mirror_product_id: 'nowhere' })
    const staged = stage(
      { products: rows('catalog.csv', [refusedRow]), commits: [commit('c', [aRate('old', { currency: 'USD' })])] },
      published(prior),
    )
    expect(staged.errors.map(({ file }) => file)).toEqual(['catalog.csv'])
    expect(staged.catalog.get('old')).toEqual(prior)
    expect(staged.counts.rate_cards).toEqual({ rows_written: 1, rows_rejected: 0 })
    expect(staged.warnings).toEqual([])
  })

  it('warns of prices of 0 and of a missing currency at the row in its file, first of all', () => {
    const without = aRate('old', { spot_length: 15 })
    const staged = stage(
      { commits: [commit('c', [aRate('old', { gross_rate_unit: 0, buy_type: 'fixed_position', currency: 'EUR' }), without])] },
      published(product('old')),
    )
    expect(staged.warnings.map(({ file, row, code }) => [file, row, code]).slice(0, 3)).toEqual([
      ['rates.csv', 3, 'DEFAULT_CURRENCY'],
      ['rates.csv', 2, 'ZERO_PRICE'],
      ['rates.csv', 2, 'UNORDERABLE_PRICE'],
    ])
  })

  it('names the rows of a repeated product and of a repeated price', () => {
    const staged = stage({
      products: rows('catalog.csv', [product('a'), product('a')]),
      commits: [commit('c', [aRate('a'), aRate('a')])],
    })
    expect(staged.errors.map(({ row, message }) => [row, message])).toEqual([
      [3, 'a is already in row 2 of catalog.csv.'],
      [3, 'The same price is already in row 2 of rates.csv.'],
    ])
  })

  it('counts the rows of an entry that has several', () => {
    const [first] = rows('catalog.csv', [product('a')]) as [DropEntry<ProductTerms>]
    expect(stage({ products: [{ ...first, rows: 3 }] }).counts.catalog).toEqual({ rows_written: 3, rows_rejected: 0 })
  })

  it('warns of declared values that no card prices, with those of the drop', () => {
    const staged = stage({
      products: rows('catalog.csv', [product('a', { spot_lengths: [15, 30] })]),
      commits: [commit('c', [aRate('a', { currency: 'USD' })])],
    })
    expect(staged.warnings).toEqual([
      expect.objectContaining({ file: 'catalog.csv', row: 2, code: 'UNPRICED_DECLARATION', spot_length: 15 }),
    ])
  })
})

describe('stageDrop: integrity', () => {
  const MONTH = { grains: ['week', 'month'] }
  const currentPrices = ['2026-W49', '2026-W50', '2026-W51', '2026-W52', '2026-W53'].map((week) => aWeekPrice(week))

  it('refuses the whole drop when two products share a reference, at the row that does', () => {
    const entries: DropEntries<ProductTerms> = {
      products: rows('catalog.csv', [product('a', { external_ref: 'X' }), product('b', { external_ref: 'X' })]),
      commits: [],
    }
    const refusal = refused(entries)
    expect(refusal.code).toBe('DUPLICATE_EXTERNAL_REF')
    expect(integrityError(entries, refusal)).toMatchObject({
      file: 'catalog.csv',
      row: 3,
      error_code: 'DUPLICATE_EXTERNAL_REF',
      field: 'external_ref',
      value: 'X',
    })
  })

  it('compares the weeks of a month over the card in force and all commits of the drop', () => {
    const facts = { ...published(product('m', MONTH)), currentPrices }
    const oneWeek = aRate('m', { week: '2026-W50', gross_rate_unit: 90 })
    const entries: DropEntries<ProductTerms> = { products: [], commits: [commit('c', [oneWeek])] }
    const refusal = refused(entries, facts)
    expect(refusal).toMatchObject({ code: 'GRAIN_CONFLICT', details: { product_id: 'm', month: '2026-12' } })
    expect(integrityError(entries, refusal)).toMatchObject({
      file: 'rates.csv',
      row: 2,
      error_code: 'GRAIN_CONFLICT',
      field: 'product_id',
      value: 'm',
    })
    const others = ['2026-W49', '2026-W51', '2026-W52', '2026-W53'].map((week) => aRate('m', { week, gross_rate_unit: 90 }))
    const december = { effective: { start: '2026-11-30', end: '2027-01-03' } }
    expect(stage({ commits: [commit('c', [oneWeek], december), commit('d', others, december)] }, facts).errors).toEqual([])
  })

  it('compares the card in force for a product that the drop begins to sell by the month', () => {
    const unlike = currentPrices.map((price, index) => ({ ...price, gross_rate_unit: String(100 + index) }))
    const entries = { products: rows('catalog.csv', [product('m', MONTH)]) }
    expect(refused(entries, { ...published(product('m')), currentPrices: unlike }).code).toBe('GRAIN_CONFLICT')
  })
})

describe('stageDrop: commits', () => {
  const facts = published(product('a'))

  /** A commit that was published with one price of `a`, in all weeks of its window. */
  const earlier = (more: Partial<EarlierCommit> = {}) => {
    const { market_class, advertiser_class, spot_length, buy_type, gross_rate_unit, currency, ...terms } = aWeekPrice('')
    const key = { product_id: 'a', market_class, advertiser_class, spot_length, buy_type, clearance_tier: null, currency: 'USD' }
    const price = { ...terms, ...key, gross_rate_unit: '1250.50', window_opens: null, window_closes: null, quote_expires_at: null }
    const found = { commit_no: '7', reply: '{"rejected":0}', effective: THREE_WEEKS, agreement_id: null, has_parts: false }
    const prices = [{ ...price, weeks: ['2026-W50', '2026-W51', '2026-W52'] }]
    return new Map([['c', { ...found, body_sha256: 'another', prices, ...more }]])
  }
  const PARTIAL = { reply: '{"is_partial":true}' }
  const SHORT = aRate('a', { spot_length: 15 })

  it.each<[string, Partial<EarlierCommit>, object[], { conflicts?: number[]; accepted?: number[]; written: number }]>([
    ['replays the same bytes if all were taken', { body_sha256: 'hash of c' }, [aRate('a'), SHORT], { written: 2 }],
    [
      'publishes what the same bytes have beyond what was taken',
      { ...PARTIAL, body_sha256: 'hash of c' },
      [aRate('a'), SHORT],
      { accepted: [1], written: 2 },
    ],
    ['completes what was refused', PARTIAL, [aRate('a'), SHORT], { accepted: [1], written: 2 }],
    ['completes what was refused, once more', { has_parts: true }, [SHORT], { accepted: [0], written: 1 }],
    [
      'refuses each row that would change a price, and completes the others',
      PARTIAL,
      [aRate('a', { gross_rate_unit: 1 }), SHORT],
      { conflicts: [2], accepted: [1], written: 1 },
    ],
    [
      'refuses a row that would change a week',
      PARTIAL,
      [aRate('a', { week: '2026-W51', currency: 'CAD' }), SHORT],
      { conflicts: [2], accepted: [1], written: 1 },
    ],
    ['refuses what a commit of which all was taken does not have', {}, [aRate('a'), SHORT], { conflicts: [3], written: 1 }],
    ['takes what is there already', {}, [aRate('a')], { written: 1 }],
    [
      'refuses another window at the first row',
      { effective: { ...THREE_WEEKS, end: '2026-12-20' } },
      [aRate('a'), SHORT],
      { conflicts: [2], written: 0 },
    ],
    ['refuses another agreement at the first row', { agreement_id: 'agr_1' }, [aRate('a'), SHORT], { conflicts: [2], written: 0 }],
    ['refuses the name of a quote at the first row', { reply: '' }, [aRate('a')], { conflicts: [2], written: 0 }],
  ])('of a published commit: %s', (_, more, rates, { conflicts = [], accepted = [], written }) => {
    const staged = stage({ commits: [commit('c', rates), commit('free', [aRate('a')])] }, { ...facts, earlier: earlier(more) })
    expect(staged.errors.map(({ row, error_code, value }) => [row, error_code, value])).toEqual(
      conflicts.map((row) => [row, 'CONFLICT', 'c']),
    )
    const isReplayed = more.body_sha256 === 'hash of c' && more.reply === undefined
    expect(staged.warnings.filter(({ code }) => code === 'REPEATED_COMMIT')).toHaveLength(isReplayed ? 1 : 0)
    expect(staged.commits.map((one) => one.accepted.map(({ index }) => index))).toEqual([accepted, [0]])
    expect(staged.counts.rate_cards).toEqual({ rows_written: written + 1, rows_rejected: rates.length - written })
  })

  it('refuses a name that another file of the drop has, unless nothing of that one was accepted', () => {
    const twice = (first: object[]) =>
      stage({ commits: [commit('c', first), commit('c', [aRate('a')], { body_sha256: 'other file' })] }, facts)
    expect(twice([aRate('a')]).errors).toEqual([expect.objectContaining({ error_code: 'CONFLICT' })])
    expect(twice([aRate('no')]).errors).toEqual([expect.objectContaining({ error_code: 'UNKNOWN_PRODUCT_ID' })])
  })

  it.each([
    ['an agreement of another seller', { agreement_id: 'agr_other' }, 'agreement_id'],
    ['a window before 1970', { effective: { start: '1960-01-01', end: '1960-02-01' } }, 'effective.start'],
    ['a window of more than 1,100 weeks', { effective: { start: '2026-01-01', end: '2056-01-01' } }, 'effective.end'],
  ])('refuses a commit with %s at its first row', (_, more, field) => {
    const staged = stage({ commits: [commit('c', [aRate('a')], more)] }, facts)
    expect(staged.errors).toEqual([expect.objectContaining({ row: 2, error_code: 'INVALID_ENTRY', field })])
  })

  it('refuses a commit that takes the drop above a million prices, and publishes the others', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => aRate('a', { advertiser_class: `class ${index}` }))
    const wide = { effective: { start: '2010-01-01', end: '2030-12-31' } }
    const staged = stage({ commits: [commit('small', [aRate('a')]), commit('large', many, wide), commit('other', [aRate('a')])] }, facts)
    expect(staged.errors).toEqual([expect.objectContaining({ error_code: 'INVALID_ENTRY', field: 'commit', value: 'large' })])
    expect(staged.commits.map(({ accepted }) => accepted.length)).toEqual([1, 0, 1])
  })

  it('refuses a commit with too many keys of a product, with what is published and what the drop has before it, at its first row', () => {
    const lengths = Array.from({ length: 100 }, (_, index) => ({ product_id: 'a', member: 'spot_length' as const, value: `${index}` }))
    const classes = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => aRate('a', { advertiser_class: `class ${from + index}` }))
    const commits = [commit('first', classes(0, 60)), commit('second', [aRate('b'), ...classes(60, 41)]), commit('third', classes(60, 40))]
    const staged = stage({ commits }, { ...published(product('a'), product('b')), priced: lengths })
    expect(staged.errors).toEqual([
      expect.objectContaining({
        row: 3,
        error_code: 'INVALID_ENTRY',
        field: 'product_id',
        value: 'a',
        message: expect.stringContaining('10100'),
      }),
    ])
    expect(staged.commits.map(({ accepted }) => accepted.length)).toEqual([60, 0, 40])
  })

  it('publishes a hundred commits, and refuses each further one at its first row', () => {
    const commits = Array.from({ length: 102 }, (_, index) => commit(`c${index}`, [aRate('a')]))
    const staged = stage({ commits }, facts)
    expect(staged.errors.map(({ field, value }) => [field, value])).toEqual([
      ['commit', 'c100'],
      ['commit', 'c101'],
    ])
    expect(staged.commits.filter(({ accepted }) => accepted.length > 0)).toHaveLength(100)
  })
})
