/** The states of an ordered spot. */
export const SPOT_STATES = ['aired_in_spec', 'aired_out_of_spec', 'makegood', 'missed', 'open'] as const

/** The codes of differences between the ordered spots and the aired and billed ones, in the order in which a line lists them. */
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

/** The counts of a reconciliation's line: the states, aired spots without an ordered one, and billed spots. */
export const LINE_COUNTS = ['ordered', ...SPOT_STATES, 'unordered', 'duplicate', 'billed'] as const
export type LineCount = (typeof LINE_COUNTS)[number]

/** The minutes by which a spot may miss its window, and by which a billed time may differ from the aired one. */
export const WINDOW_MINUTES = 5
export const MATCH_MINUTES = 10

/** `too_large`: the order has too many spots or rows to match, so only its coverage is shown. */
export const RECONCILIATION_STATES = ['reconciled', 'too_large'] as const
export type ReconciliationState = (typeof RECONCILIATION_STATES)[number]

/** The actions on a variance: a buyer accepts or disputes it, and its seller credits or upholds a dispute. */
export const VARIANCE_ACTIONS = ['accept', 'dispute', 'credit', 'uphold'] as const
export type VarianceAction = (typeof VARIANCE_ACTIONS)[number]

/** `gone`: new data has ended a variance that was acted on. */
export const VARIANCE_STATES = ['open', 'accepted', 'disputed', 'credited', 'upheld', 'gone'] as const
export type VarianceState = (typeof VARIANCE_STATES)[number]

/** The actions on a variance after which it can no longer be disputed. */
export const ACTIONS_BEFORE_LAST_DISPUTE = 20
