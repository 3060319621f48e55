import type { Mutant } from './mutant.ts'

/** Faults that change nothing which a test could see, with the reason: by their file, their kind and a part of their text. */
const EQUIVALENT: readonly (readonly [file: string, kind: string, text: string, why: string])[] = [
  [
    'src/store/orders/createOrders.ts',
    'condition',
    'uploads.upload_id = any(',
    'leads the planner to the index; the join beside it says the same',
  ],
  [
    'src/store/orders/createOrders.ts',
    'condition',
    'holds.hold_id = any(',
    'leads the planner to the index; the join beside it says the same',
  ],
  [
    'src/store/orders/listStatements.ts',
    'condition',
    'columns}, order_id) <',
    'each of the two bounds implies the other; the planner needs both',
  ],
]

export function isEquivalent({ file, kind, text }: Mutant): boolean {
  return EQUIVALENT.some((known) => known[0] === file && known[1] === kind && text.includes(known[2]))
}
