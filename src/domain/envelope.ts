import type { ErrorEnvelope, Fault } from '../contract/errorEnvelope.ts'
import { ERRORS } from '../contract/vocabulary/codes.ts'
import type { Refusal } from './refusal.ts'

/** Builds the error envelope (contract, Error envelope). The first fault becomes the reply's error; details.errors[] lists all. */
export function envelopeOf(refusal: Refusal): ErrorEnvelope {
  const { status, stage, recoverable } = ERRORS[refusal.code]
  const faults = refusal.faults.length > 0 || status < 400 || (status !== 400 && status !== 422) ? refusal.faults : [soleFault(refusal)]
  return {
    error_code: refusal.code,
    error_message: refusal.message,
    stage,
    recoverable,
    details: { ...refusal.details, ...(faults.length > 0 ? { errors: faults.map(errorEntry) } : {}) },
  }
}

function soleFault({ code, message, details }: Refusal): Fault {
  return { error_code: code, message, ...(typeof details.field === 'string' ? { field: details.field } : {}) }
}

function errorEntry({ field, error_code, message, details }: Fault) {
  const pointer = field === undefined ? '' : pointerOf(field)
  return { pointer, error_code, message, ...(field === undefined ? {} : { field }), ...details }
}

/** Returns the JSON pointer of a dotted path. */
export function pointerOf(field: string): string {
  const parts = field.split('.').map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `/${parts.join('/')}`
}
