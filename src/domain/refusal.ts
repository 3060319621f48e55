import type { Fault } from '../contract/errorEnvelope.ts'
import { type ErrorCode, FAULTS_TOLD } from '../contract/vocabulary.ts'

/**
 * An answer that is no: the rule was asked and refuses. Only `api/errors.ts` turns it into a status.
 * `faults` are all that is wrong with the request, in body order; the first one speaks for the reply (spec, Errors; choices, Error envelope).
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

/** A refusal with every fault found, as far as anybody will read; `details.missing` names every missing required member. */
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

/** One thing that is wrong with a member of a request; `field` is dotted. */
export function invalid(field: string, message: string): Fault {
  return { error_code: 'INVALID_INPUT', field, message }
}

/** Refuses for faults that were found. */
export function refuse(faults: readonly Fault[]): never {
  refuseIfAny(faults)
  throw new Error('a refusal names at least one fault')
}

/** Refuses when there is anything to refuse for. */
export function refuseIfAny(faults: readonly Fault[]): void {
  const [first, ...rest] = faults
  if (first !== undefined) throw refusalOf([first, ...rest])
}
