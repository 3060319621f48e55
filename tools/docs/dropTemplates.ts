import type { DropFileType } from '../../src/contract/vocabulary/drops.ts'
import { SAMPLE_MOVIES, SAMPLE_NEWS } from '../../src/sdk/dropClient/sampleProducts.ts'
import type { Entry } from '../../src/sdk/dropClient/writeDropFile.ts'

/** The contents of a type's templates. */
export interface Template {
  /** The other members of the body, which a table repeats in each row. */
  readonly head: Entry
  /** Entries in the shape of the API, one for each shape of the type. */
  readonly entries: readonly Entry[]
}

export const TEMPLATES: Readonly<Record<DropFileType, Template>> = {
  catalog: {
    head: { taxonomy_version: '2027.1' },
    entries: [
      {
        product_id: 'example-evening-news',
        network: 'WXYZ',
        name: 'Evening News',
        ...SAMPLE_NEWS,
        effective: { start: '2027-03-29', end: '2027-06-27' },
        buy_types: ['preemptible', 'non_preemptible'],
      },
      {
        product_id: 'example-weekend-movies',
        network: 'WXYZ',
        name: 'Weekend Movies',
        ...SAMPLE_MOVIES,
        effective: { start: '2027-03-29', end: '2027-06-27' },
        buy_types: ['preemptible'],
      },
    ],
  },
  rate_cards: {
    head: { commit: 'example-2027-q2', effective: { start: '2027-03-29', end: '2027-06-27' } },
    entries: [
      {
        product_id: 'example-evening-news',
        market_class: 'scatter',
        advertiser_class: 'general',
        spot_length: 30,
        buy_type: 'preemptible',
        gross_rate_unit: 410,
        currency: 'USD',
      },
      {
        product_id: 'example-evening-news',
        market_class: 'scatter',
        advertiser_class: 'general',
        spot_length: 30,
        buy_type: 'preemptible',
        week: '2027-W20',
        gross_rate_unit: 455.5,
        currency: 'USD',
      },
    ],
  },
  avails: {
    head: {},
    entries: [
      {
        product_id: 'example-evening-news',
        period: { grain: 'week', start: '2027-W20' },
        state: 'available',
        sellout_level: 0.4,
        spots: { available: 24 },
      },
      { product_id: 'example-weekend-movies', period: { grain: 'week', start: '2027-W20' }, state: 'available', spots: { available: 60 } },
    ],
  },
  delivery_posts: {
    head: {},
    entries: [
      {
        record_type: 'as_run',
        seller_order_id: 'WXYZ-4711',
        network: 'WXYZ',
        air_date: '2027-05-17',
        air_time: '18:12:30',
        spot_length: 30,
        isci: 'ADVR0001000H',
        status: 'Aired',
        log_id: 'example-2027-05-17',
      },
      {
        record_type: 'invoice',
        seller_order_id: 'WXYZ-4711',
        network: 'WXYZ',
        air_date: '2027-05-17',
        air_time: '18:12:30',
        spot_length: 30,
        isci: 'ADVR0001000H',
        invoice_number: 'EX-270501',
        invoice_date: '2027-06-01',
        broadcast_month: '2027-05',
        currency: 'USD',
        run_code: 'Y',
        rate: 410,
      },
      {
        record_type: 'post',
        seller_order_id: 'WXYZ-4711',
        network: 'WXYZ',
        air_date: '2027-05-17',
        unit_id: 'unit_06h07ca6asrx5cqx873b1enr34',
        audience_code: 'P18-49',
        stream: 'C3',
        impressions: 41_200,
        final: true,
      },
    ],
  },
}
