/** What the station of the drop demo sells. */
export const LAKESHORE = [
  {
    product_id: 'lks-evening-news',
    type: 'daypart',
    network: 'Lakeshore 28',
    name: 'Lakeshore Evening News',
    definition: {
      selling_title: 'Evening News',
      days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
      start: '18:00',
      end: '18:30',
      timezone: 'America/Chicago',
    },
    buy_types: ['preemptible'],
    grains: ['week'],
    spot_lengths: [15, 30],
    advertiser_classes: ['general'],
    reporting_dayparts: ['primetime'],
    prices: [
      { spot_length: 15, gross_rate_unit: 265 },
      { spot_length: 30, gross_rate_unit: 410 },
    ],
    spots: 42,
  },
  {
    product_id: 'lks-weekend-movies',
    type: 'rotator',
    network: 'Lakeshore 28',
    name: 'Lakeshore Weekend Movies',
    definition: {
      selling_title: 'Weekend Movies',
      timezone: 'America/Chicago',
      windows: [
        { days: ['Sat'], start: '13:00', end: '17:00' },
        { days: ['Sun'], start: '12:00', end: '18:00' },
      ],
    },
    buy_types: ['preemptible'],
    grains: ['week'],
    spot_lengths: [15, 30],
    advertiser_classes: ['general'],
    reporting_dayparts: ['weekend'],
    prices: [
      { spot_length: 15, gross_rate_unit: 145 },
      { spot_length: 30, gross_rate_unit: 230 },
    ],
    spots: 64,
  },
] as const
