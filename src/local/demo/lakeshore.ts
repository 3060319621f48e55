import { SAMPLE_MOVIES, SAMPLE_NEWS } from '../../sdk/dropClient/sampleProducts.ts'

/** The products of the station in the drop demo. */
export const LAKESHORE = [
  {
    product_id: 'lks-evening-news',
    network: 'Lakeshore 28',
    name: 'Lakeshore Evening News',
    ...SAMPLE_NEWS,
    buy_types: ['preemptible'],
    reporting_dayparts: ['primetime'],
    prices: [
      { spot_length: 15, gross_rate_unit: 265 },
      { spot_length: 30, gross_rate_unit: 410 },
    ],
    spots: 42,
  },
  {
    product_id: 'lks-weekend-movies',
    network: 'Lakeshore 28',
    name: 'Lakeshore Weekend Movies',
    ...SAMPLE_MOVIES,
    buy_types: ['preemptible'],
    reporting_dayparts: ['weekend'],
    prices: [
      { spot_length: 15, gross_rate_unit: 145 },
      { spot_length: 30, gross_rate_unit: 230 },
    ],
    spots: 64,
  },
] as const
