import { Fault } from '../../api/fault.ts'
import { faultsByPointer, isBelow } from '../../ui/fieldFaults.ts'

/** The members of a line that have their own cell; all other faults of a line are shown below its name. */
export const CELLS = ['period', 'units', 'rate', 'creative_id', 'hold_id'] as const

const SHOWN = ['/line_items', '/attachments', '/buyer_metadata', '/agreement_id', '/external_order_id']

/** The mutation key of file uploads for the order with a seller. */
export function attachKey(seller: string) {
  return ['attach', seller] as const
}

/** Returns the API's faults that no cell or field shows. */
export function unplaced(error: unknown): string[] {
  if (!(error instanceof Fault)) return []
  const faults = faultsByPointer(error)
  if (faults.length === 0) return [error.message]
  return faults.filter(({ pointer }) => !SHOWN.some((shown) => isBelow(pointer, shown))).map(({ whole }) => whole)
}

/** Focuses the next element that shows a fault, after the focused one. */
export function nextFault(): void {
  const places = [...document.querySelectorAll<HTMLElement>('[data-fault] :is(input, select, button), input[aria-invalid=true]')]
  const after = places.find((place) => isAfter(place, document.activeElement)) ?? places[0]
  after?.focus()
}

function isAfter(place: Element, other: Element | null): boolean {
  return other !== null && other !== place && (other.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}
