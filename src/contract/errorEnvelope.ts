import { z } from 'zod'
import { ERRORS, type ErrorCode, FAULTS_TOLD, STAGES } from './vocabulary.ts'

/** One thing that is wrong with a request. `field` is dotted (`line_items.0.units`); the JSON pointer is made from it. */
export interface Fault {
  error_code: ErrorCode
  field?: string
  message: string
  /** Set when the member is required and absent (or empty where empty counts as missing). */
  missing?: boolean
  details?: Record<string, unknown>
}

export const ErrorEnvelope = z
  .object({
    error_code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    error_message: z.string(),
    stage: z.enum(STAGES),
    recoverable: z.boolean(),
    details: z.looseObject({
      field: z.string().optional(),
      missing: z.array(z.string()).optional(),
      errors: z
        .array(z.looseObject({ pointer: z.string().optional(), error_code: z.string(), message: z.string(), field: z.string().optional() }))
        .optional(),
    }),
  })
  .meta({
    id: 'ErrorEnvelope',
    description: `Every error of the service. details.errors[] lists every fault found, at most ${FAULTS_TOLD}, each with a JSON pointer.`,
  })
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>

/** What zod found wrong, as faults. `input` is what was parsed: it tells a missing member from a wrong one. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], input: unknown, root: readonly PropertyKey[] = []): Fault[] {
  const told = issues.slice(0, FAULTS_TOLD).flatMap((issue) => {
    const path = [...root, ...issue.path].map(String)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => invalid([...path, key].join('.'), `${key} is not a known key here`))
    }
    const value = valueAt(input, issue.path)
    const field = path.join('.')
    const missing = value === undefined || (value === '' && issue.code === 'too_small')
    if (missing && issue.code !== 'custom') return { ...invalid(field, `${field || 'the body'} is required`), missing: true }
    return invalid(field, `${field || 'the body'}: ${issue.message}`)
  })
  return told.slice(0, FAULTS_TOLD)
}

/** A fault of the whole body has no field. */
function invalid(field: string, message: string): Fault {
  return { error_code: 'INVALID_INPUT', ...(field === '' ? {} : { field }), message }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
