import { z } from 'zod'
import { nearestIs, nearestName } from './nearestName.ts'
import { sentInstead } from './plainMessages.ts'
import { membersAt, shapeOf } from './shape.ts'
import { FAULTS_TOLD } from './vocabulary/bounds.ts'
import { ERRORS, type ErrorCode, STAGES } from './vocabulary/codes.ts'

/** One fault of a request. `field` is dotted (`line_items.0.units`); the JSON pointer is derived from it. */
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
    description: `Every error of the service. details.errors[] lists every fault found, at most ${FAULTS_TOLD}, each with a JSON pointer. details.warnings[] of a 422 lists members that nothing knows, with the nearest known one.`,
  })
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>

/**
 * Converts zod issues to faults. `input` is the parsed value, which distinguishes a missing member from a wrong one. Empty text counts as missing
 * if the schema requires the member (contract, Create rules: advertiser); otherwise it is a wrong value.
 */
export function faultsOf(schema: z.ZodType, issues: readonly z.core.$ZodIssue[], input: unknown): Fault[] {
  const isRequired = requiredOf(schema, issues.filter(isEmptyText(input)), input)
  const faults = issues.slice(0, FAULTS_TOLD).flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      const known = membersAt(shapeOf(schema), input, issue.path)
      return issue.keys.map((key) => {
        const field = [...path, key].join('.')
        return invalid(field, `${field} is not known here${nearestIs(nearestName(key, known))}`)
      })
    }
    const value = valueAt(input, issue.path)
    const field = path.join('.')
    const missing = value === undefined || (isEmptyText(input)(issue) && isRequired(issue.path))
    if (missing && issue.code !== 'custom') return { ...invalid(field, `${field || 'The body'} is required`), missing: true }
    return invalid(field, `${field || 'The body'} ${issue.message}${sentInstead(issue, value)}`)
  })
  return faults.slice(0, FAULTS_TOLD)
}

function isEmptyText(input: unknown) {
  return (issue: z.core.$ZodIssue) => issue.code === 'too_small' && valueAt(input, issue.path) === ''
}

/** Returns a test for required members among those with empty text, found by parsing without them. List entries are values, never missing. */
function requiredOf(schema: z.ZodType, empty: readonly z.core.$ZodIssue[], input: unknown): (path: readonly PropertyKey[]) => boolean {
  if (empty.length === 0) return () => false
  const without = structuredClone(input)
  for (const { path } of empty) {
    const name = path.at(-1)
    if (typeof name === 'string') delete (valueAt(without, path.slice(0, -1)) as Record<string, unknown>)[name]
  }
  const missed = (schema.safeParse(without).error?.issues ?? []).filter(({ code }) => code !== 'custom')
  const paths = new Set(missed.map(({ path }) => JSON.stringify(path)))
  return (path) => paths.has(JSON.stringify(path))
}

/** Makes a fault; a fault of the whole body has no field. */
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
