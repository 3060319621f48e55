import { Fault, type FieldFault } from '../api/fault.ts'

/** Returns the API's messages about the member at a pointer and about the members within it. */
export type FaultsAt = (pointer: string) => readonly string[]

interface PlacedFault {
  readonly pointer: string
  /** The message without the field's path, to be shown at the field. */
  readonly message: string
  /** The message with the field's path, to be shown anywhere else. */
  readonly whole: string
}

/** Returns the faults of a refused body by JSON pointer; a fault without a pointer gets the empty one. */
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

/** Removes the field's path from a message, since the message is shown at the field. */
function plainMessage({ message, field }: FieldFault): string {
  if (field === undefined || !message.startsWith(`${field} `)) return message
  const rest = message.slice(field.length + 1)
  return `${rest[0]?.toUpperCase()}${rest.slice(1)}`
}
