import { SchemaError } from './schemaError.ts'

/** Returns one sentence for the operator if they can fix an error of the database, else undefined. It never repeats the URL. */
export function databaseFault(error: unknown): string | undefined {
  if (error instanceof SchemaError) return error.message
  const { code, message } = partsOf(error)
  if (isDatabaseAway(error) || /^(28|3D)/.test(code))
    return `The database does not answer (${message || code}): start the marketplace first (npm start), or correct DATABASE_URL.`
  // The error means that a table, a function or a role of the service is missing.
  if (code === '42P01' || code === '42883' || (code === '22023' && /role/.test(message)))
    return 'The database has no schema of this service yet: migrate it first (npm run migrate), or correct DATABASE_URL.'
  if (code === '42501')
    return `The user of DATABASE_URL lacks a right (${message}): give it what docs/operate/postgres.md lists, or name another user.`
  return undefined
}

/** Returns true if nobody answered, or the server is stopping, starting or full: the same call may succeed in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = partsOf(error)
  if (code === TOO_LONG) return false
  return AWAY.has(code) || /^(08|53|57)/.test(code) || (error instanceof Error && LOST_CONNECTION.test(message))
}

/** Returns true if the database stopped one statement because it exceeded `statement_timeout`. */
export function isStatementTooLong(error: unknown): boolean {
  return partsOf(error).code === TOO_LONG
}

export const TOO_LONG = '57014'

/** Returns true if `order_moved()` ended an append because the order has moved on since it was read (migration 0005). */
export function isOrderMoved(error: unknown): boolean {
  return partsOf(error).code === 'OM001'
}

/** Returns true if `order_outdated()` ended a create because what it names has changed since it was read (migration 0005). */
export function isOrderOutdated(error: unknown): boolean {
  return partsOf(error).code === 'OM002'
}

function partsOf(error: unknown): { code: string; message: string } {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/**
 * Socket error codes that mean the database is away, in addition to the Postgres classes 08 (connection), 53 (resources) and
 * 57 (operator: shutdown). A standby sends 25006.
 */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006',
  '25P03',
])
/** The messages of pg that have no code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired)/
