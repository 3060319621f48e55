import { Fault, type FieldFault } from '../api/fault.ts'

/** What the API says against a member of what was sent, or against its members. */
export type FaultsAt = (pointer: string) => readonly string[]

interface PlacedFault {
  readonly pointer: string
  /** Without the path of the field, for the place of the field. */
  readonly message: string
  /** With it, for anywhere else. */
  readonly whole: string
}

/** The faults of a refused body by JSON pointer; a fault without one is at the empty pointer. */
export function faultsByPointer(error: unknown): readonly PlacedFault[] {
  if (!(error instanceof Fault)) return []
  return (error.details.errors ?? []).map((fault) => ({
    pointer: pointerOf(fault),
    message: plainMessage(fault),
    whole: fault.message,
  }))
}

export function faultsAt(error: unknown): FaultsAt {
  const faults = faultsByPointer(error)
  return (pointer) => faults.filter((fault) => isBelow(fault.pointer, pointer)).map(({ message }) => message)
}

export function isBelow(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`)
}

function pointerOf({ pointer, field }: FieldFault): string {
  return pointer ?? (field === undefined ? '' : `/${field.replaceAll('.', '/')}`)
}

/** The message without the path of its field, which is where it is shown. */
function plainMessage({ message, field }: FieldFault): string {
  if (field === undefined || !message.startsWith(`${field} `)) return message
  const rest = message.slice(field.length + 1)
  return `${rest[0]?.toUpperCase()}${rest.slice(1)}`
}
