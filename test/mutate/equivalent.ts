import type { Mutant } from './mutant.ts'

interface Equivalent {
  readonly kind: string
  /** The text that the fault changes begins with this. */
  readonly original: string
  /** Without one, anywhere. */
  readonly file?: string
  readonly why: string
}

const JOINED = 'leads the planner to the index; the join beside it says the same'

/** Faults that change nothing which a test could see. */
const EQUIVALENT: readonly Equivalent[] = [
  { kind: 'no option', original: '{ once: true }', why: 'a signal aborts once' },
  {
    kind: 'never',
    original: 'pause === undefined ? seller.askDecision',
    file: 'workflows/phases/pullGate.ts',
    why: 'nothing was shown before the first pause',
  },
  {
    kind: 'left alone',
    original: 'known.get(keyOf(source, user))?.throttledUntil ?? 0',
    file: 'sftp/failedSignIns.ts',
    why: 'undefined is above nothing either',
  },
  { kind: 'no statement', original: 'known.set(', why: 'what is not remembered is computed again' },
  { kind: 'never', original: 'found !== undefined', why: 'what is not found is computed again' },
  { kind: 'condition', original: 'uploads.upload_id = any(', file: 'src/store/orders/createOrders.ts', why: JOINED },
  { kind: 'condition', original: 'holds.hold_id = any(', file: 'src/store/orders/createOrders.ts', why: JOINED },
  { kind: 'unary', original: '-2', file: 'src/domain/settlement/invoiceNumber.ts', why: 'a year has four digits' },
  {
    kind: 'no statement',
    original: 'await condition(allHandlersFinished)',
    why: 'handlers of signals end at once; the library asks for it',
  },
  { kind: 'never', original: `stage === 'ended'`, file: 'workflows/ingestDrop.ts', why: 'a drop that has ended is not looked at' },
  {
    kind: 'operator',
    original: 'index < links.length',
    file: 'src/domain/settlement/openEntries.ts',
    why: 'a shorter path is only quicker',
  },
]

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(
    ({ kind, original, file = mutant.file }) => kind === mutant.kind && file === mutant.file && mutant.original.startsWith(original),
  )
}
