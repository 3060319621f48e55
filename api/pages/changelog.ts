/**
 * The machine-readable changelog of the contract, at /v1/changelog.json (contract, Versioning). Until general availability /v1 is a
 * preview: corrections ship in place, newest first, and nothing has a sunset date.
 */
export const CHANGELOG = {
  version: 'v1',
  status: 'preview',
  sunset: null,
  corrections: [
    {
      date: '2026-10-01',
      change:
        'unpriced[] entries and UNPRICED_DECLARATION warnings carry effect: not_orderable for spot_length, buy_type and advertiser_class, no_guarantee for currency.',
    },
    {
      date: '2026-08-21',
      change: 'agreement.permitted_grains joins permitted_buy_types and catalog_scope; GRAIN_NOT_OFFERED gains details.permitted_grains.',
    },
    { date: '2026-08-21', change: 'product.external_ref: seller-only and unique per seller; 422 DUPLICATE_EXTERNAL_REF.' },
    { date: '2026-08-21', change: 'agreement.disclosure_overrides with a per-field chain; 422 DUPLICATE_DISCLOSURE_OVERRIDE.' },
    { date: '2026-08-20', change: 'package is renamed product everywhere, without an alias.' },
    {
      date: '2026-08-20',
      change: 'period {grain, start} replaces week, grain and date; product grains[]; GRAIN_NOT_OFFERED; GRAIN_CONFLICT.',
    },
    {
      date: '2026-08-11',
      change: 'GET /events/feed; one lifecycle event type order.status_changed with prior_status; one error envelope.',
    },
    { date: '2026-08-01', change: 'Per-second pricing is retired: rate_basis is per_unit or cpm.' },
  ],
} as const
