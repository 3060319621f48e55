/** Two products, one with a daypart and one with several windows, as in the templates and the demo of file drops. */
export const SAMPLE_NEWS = {
  type: 'daypart',
  definition: {
    selling_title: 'Evening News',
    days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
    start: '18:00',
    end: '18:30',
    timezone: 'America/Chicago',
  },
  grains: ['week'],
  spot_lengths: [15, 30],
  advertiser_classes: ['general'],
} as const

export const SAMPLE_MOVIES = {
  type: 'rotator',
  definition: {
    selling_title: 'Weekend Movies',
    timezone: 'America/Chicago',
    windows: [
      { days: ['Sat'], start: '13:00', end: '17:00' },
      { days: ['Sun'], start: '12:00', end: '18:00' },
    ],
  },
  grains: ['week'],
  spot_lengths: [15, 30],
  advertiser_classes: ['general'],
} as const
