/** What the words say that traffic systems write in `status` of a log. Has only constants and types, so the pure rules can import it without zod. */

/** `undecided`: the log does not say yet whether the spot aired, as in a log that is sent before its day. */
export const AS_RUN_OUTCOMES = ['aired', 'not_aired', 'undecided'] as const
export type AsRunOutcome = (typeof AS_RUN_OUTCOMES)[number]

/** The words of each outcome, in lower case, without marks. Some systems add to the words of BEGINNINGS, as in "Aired late". */
export const AS_RUN_WORDS: Readonly<Record<AsRunOutcome, readonly string[]>> = {
  aired: [
    ...['aired', 'joined in progress', 'ran', 'ran as ordered', 'ran as scheduled', 'run', 'as run', 'played', 'played out', 'on air'],
    ...['as ordered', 'as scheduled', 'ok', 'complete', 'completed', 'verified', 'yes', 'y'],
  ],
  not_aired: [
    ...['not aired', 'unaired', 'did not air', 'not run', 'did not run', 'dnr', 'not played', 'did not play', 'missed'],
    ...['preempted', 'pre empted', 'preempt', 'pre empt', 'canceled', 'cancelled', 'bumped', 'killed', 'deleted', 'dropped', 'skipped'],
    ...['failed', 'blacked out', 'credited', 'no', 'n'],
  ],
  undecided: [
    ...['scheduled', 'planned', 'booked', 'ordered', 'placed', 'pending', 'open', 'approved', 'confirmed', 'reserved', 'tentative', 'hold'],
    ...[
      'final',
      'finalized',
      'finalised',
      'ready',
      'queued',
      'cued',
      'exported',
      'pre log',
      'prelog',
      'to air',
      'ok to air',
      'to be aired',
    ],
    ...['not yet aired', 'not aired yet', 'unverified', 'unreconciled', 'unknown'],
  ],
}

/** The words after which others may follow without changing what they say. */
export const AS_RUN_BEGINNINGS = [
  ...['aired', 'joined in progress', 'ran', 'played', 'not aired', 'did not air', 'did not run', 'missed'],
  ...['preempted', 'pre empted', 'canceled', 'cancelled'],
] as const

/** The words right after a beginning that turn it into its opposite, or leave it open: "Aired: No", "Not aired yet, log open". */
export const AS_RUN_DOUBTS: Readonly<Record<Exclude<AsRunOutcome, 'undecided'>, readonly string[]>> = {
  aired: ['no', 'n', 'false', 'pending'],
  not_aired: ['yet', 'pending'],
}

const OUTCOMES: ReadonlyMap<string, AsRunOutcome> = new Map(
  AS_RUN_OUTCOMES.flatMap((outcome) => AS_RUN_WORDS[outcome].map((word) => [word, outcome] as const)),
)

/** Returns what a status of a log says; undefined if it is not one of the words. Case, marks and spaces do not matter. */
export function asRunOutcome(status: string): AsRunOutcome | undefined {
  const words = status
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const exact = OUTCOMES.get(words)
  if (exact !== undefined) return exact
  const beginning = AS_RUN_BEGINNINGS.find((each) => words.startsWith(`${each} `))
  if (beginning === undefined) return undefined
  const outcome = OUTCOMES.get(beginning)
  const [next = ''] = words.slice(beginning.length + 1).split(' ')
  const isOpen = outcome === undefined || outcome === 'undecided' || AS_RUN_DOUBTS[outcome].includes(next)
  return isOpen ? undefined : outcome
}
