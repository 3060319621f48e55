import type { Fault } from '../contract/errorEnvelope.ts'
import { FAULTS_TOLD } from '../contract/vocabulary/bounds.ts'
import type { ErrorCode } from '../contract/vocabulary/codes.ts'

/**
 * A rule's refusal of a request. Only `api/http/errors.ts` maps it to a status. `faults` are all faults of the request in body order; the first one
 * becomes the reply's error (contract, Error envelope; choices, Error envelope).
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>
  readonly faults: readonly Fault[]

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}, faults: readonly Fault[] = []) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.details = details
    this.faults = faults
  }
}

/** Returns a refusal as a value, for callers to whom it is an answer; throws any other error. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Makes a refusal from the faults found, up to a limit. `details.missing` lists every missing required member. */
export function refusalOf(found: readonly [Fault, ...Fault[]]): Refusal {
  const [first] = found
  const faults = found.slice(0, FAULTS_TOLD)
  const missing = faults.filter((fault) => fault.missing).map((fault) => fault.field)
  const details = {
    ...(first.field === undefined ? {} : { field: first.field }),
    ...first.details,
    ...(missing.length > 0 ? { missing } : {}),
  }
  return new Refusal(first.error_code, first.message, details, faults)
}

/** Makes an INVALID_INPUT fault of a member; `field` is dotted. */
export function invalid(field: string, message: string): Fault {
  return { error_code: 'INVALID_INPUT', field, message }
}

/** Throws a refusal with the faults. */
export function refuse(faults: readonly Fault[]): never {
  refuseIfAny(faults)
  throw new Error('a refusal needs at least one fault')
}

/** Throws a refusal if there are faults. */
export function refuseIfAny(faults: readonly Fault[]): void {
  const [first, ...rest] = faults
  if (first !== undefined) throw refusalOf([first, ...rest])
}
