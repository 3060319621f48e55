import { describe, expect, it } from '@jest/globals'
import { DROP_FILE_SHAPES, POST_COLUMNS } from '../../src/contract/dropColumns.ts'

const required = (type: keyof typeof DROP_FILE_SHAPES) =>
  DROP_FILE_SHAPES[type].entry.filter((column) => column.required).map(({ name }) => name)

describe('the columns of a drop', () => {
  it('are required where each kind of entry needs them', () => {
    expect(required('catalog')).toEqual(['product_id', 'network', 'buy_types', 'type'])
    expect(required('rate_cards')).toEqual(['product_id', 'market_class', 'advertiser_class', 'spot_length', 'buy_type'])
    expect(required('avails')).toEqual(['product_id', 'period.grain', 'period.start', 'state'])
    expect(required('delivery_posts')).toEqual(['record_type', 'network', 'air_date'])
  })

  it('of delivery posts are required of some kinds of rows', () => {
    const ofKind = (kind: keyof typeof POST_COLUMNS) => POST_COLUMNS[kind].filter((column) => column.required).map(({ name }) => name)
    const airing = ['record_type', 'network', 'air_date', 'spot_length']
    expect(ofKind('as_run')).toEqual([...airing, 'status'])
    expect(ofKind('invoice')).toEqual([...airing, 'invoice_number', 'invoice_date', 'broadcast_month', 'currency', 'run_code', 'rate'])
    expect(ofKind('post')).toEqual(['record_type', 'network', 'air_date', 'unit_id', 'audience_code', 'stream', 'impressions', 'final'])
  })

  it('have an example each, and none is of the package terms that the contract refuses', () => {
    for (const { entry, head } of Object.values(DROP_FILE_SHAPES)) {
      for (const { name, example } of [...entry, ...head]) {
        expect([name, String(example ?? '')]).toEqual([name, expect.stringMatching(/\S/)])
        expect(name).not.toMatch(/^package/)
      }
    }
  })
})
