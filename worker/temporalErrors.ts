import { isGrpcServiceError } from '@temporalio/client'
import { NamespaceNotFoundError } from '@temporalio/common'

/** Returns Temporal's gRPC status code, or undefined for any other error. The client wraps some replies, the native connection none. */
export function grpcCode(error: unknown): number | undefined {
  return grpcError(error)?.code
}

function grpcError(error: unknown): { code: number; message: string } | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (isGrpcServiceError(at)) return at
  return undefined
}

/**
 * Whether Temporal replied that this caller lacks permission or that the service does not exist: PERMISSION_DENIED, UNIMPLEMENTED or
 * UNAUTHENTICATED. Temporal Cloud has no operator service, and the time-skipping server has neither schedules nor a search.
 */
export function isForbidden(error: unknown): boolean {
  return isOneOf(FORBIDDEN, error)
}

/** Whether Temporal did not answer a correct call because it was away or too slow (CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE). */
export function isUnreachable(error: unknown): boolean {
  return isOneOf(UNREACHABLE, error)
}

/**
 * Whether Temporal replied that it does not know the namespace, or no longer serves it. For some seconds after a deletion its servers still
 * know it, as deleted.
 */
export function isNamespaceUnknown(error: unknown): boolean {
  if (error instanceof NamespaceNotFoundError) return true
  const { code, message } = grpcError(error) ?? {}
  return (
    (code === NOT_FOUND && /\bnamespace\b/i.test(String(message))) ||
    (code === FAILED_PRECONDITION && /invalid state/.test(String(message)))
  )
}

/** Whether Temporal cannot take runs for now: it does not answer, or does not have its namespace. */
export function isAway(error: unknown): boolean {
  return isUnreachable(error) || isNamespaceUnknown(error)
}

function isOneOf(codes: readonly number[], error: unknown): boolean {
  const code = grpcCode(error)
  return code !== undefined && codes.includes(code)
}

export const NOT_FOUND = 5
const FAILED_PRECONDITION = 9
export const ALREADY_EXISTS = 6
const FORBIDDEN: readonly number[] = [7, 12, 16]
const UNREACHABLE: readonly number[] = [1, 4, 14]
