/** What became of a spot that an order books. */
export const SPOT_STATES = ['aired_in_spec', 'aired_out_of_spec', 'makegood', 'missed', 'open'] as const

/** How what aired and what was billed differ from what was ordered, in the order in which a line lists them. */
export const VARIANCE_CODES = [
  'ORDERED_NOT_RUN',
  'MISSED',
  'MAKEGOOD',
  'WRONG_DATE',
  'OUT_OF_DAYPART',
  'WRONG_LENGTH',
  'WRONG_COPY',
  'RATE_MISMATCH',
  'BILLED_NOT_RUN',
  'RUN_NOT_BILLED',
  'RUN_NOT_ORDERED',
  'DUPLICATE',
] as const
export type VarianceCode = (typeof VARIANCE_CODES)[number]

/** What a line of a reconciliation counts: the states, aired spots that no slot takes, and billed ones. */
export const LINE_COUNTS = ['ordered', ...SPOT_STATES, 'unordered', 'duplicate', 'billed'] as const
export type LineCount = (typeof LINE_COUNTS)[number]

/** The minutes by which a spot may miss its window, and by which a billed time may differ from the time aired. */
export const WINDOW_MINUTES = 5
export const MATCH_MINUTES = 10

/** `too_large`: the order has more spots or rows than are matched, so that only its coverage is shown. */
export const RECONCILIATION_STATES = ['reconciled', 'too_large'] as const
export type ReconciliationState = (typeof RECONCILIATION_STATES)[number]

/** What a buyer does about a variance: accept or dispute; and its seller about a dispute: credit or uphold. */
export const VARIANCE_ACTIONS = ['accept', 'dispute', 'credit', 'uphold'] as const
export type VarianceAction = (typeof VARIANCE_ACTIONS)[number]

/** `gone`: new data has ended a variance that was acted on. */
export const VARIANCE_STATES = ['open', 'accepted', 'disputed', 'credited', 'upheld', 'gone'] as const
export type VarianceState = (typeof VARIANCE_STATES)[number]

/** The actions on a variance after which it can no longer be disputed. */
export const ACTIONS_BEFORE_LAST_DISPUTE = 20
