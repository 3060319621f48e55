import type { components } from './schema.d.ts'

type Envelope = components['schemas']['ErrorEnvelope']
export type FieldFault = NonNullable<Envelope['details']['errors']>[number]

/** A failed call: the API's error envelope, or the reason why there was no answer. */
export class Fault extends Error {
  override name = 'Fault'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined
  readonly details: Envelope['details']

  constructor(status: number, { code, message, requestId, details = {} }: Omit<Envelope, keyof Envelope> & FaultParts) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.details = details
  }

  /** Whether the API is down, overloaded or unreachable, so that the same call may succeed later. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502
  }
}

export function isOutage(error: unknown): boolean {
  return error instanceof Fault && error.isOutage
}

/** Whether the call may have been carried out although its reply was lost. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Fault && (error.isOutage || error.status >= 500)
}

/** Whether the API refused the call itself, and not its sender, so that the same call would be refused again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Fault && !error.isOutage && error.status < 500 && error.status !== 401 && error.status !== 403
}

interface FaultParts {
  code: string
  message: string
  requestId?: string | undefined
  details?: Envelope['details']
}

/** Returns the result of a call of the typed client, or throws its fault. */
export async function resultOf<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<{
  data: Data
  response: Response
}> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new Fault(0, { code: 'NO_ANSWER', message: 'The marketplace does not answer.' })
  })
  if (response.ok) return { data: data as Data, response }
  throw faultOf(error, response)
}

function faultOf(error: unknown, { status, headers }: Response): Fault {
  const requestId = headers.get('X-Request-Id') ?? undefined
  const envelope = error as Partial<Envelope> | undefined
  if (typeof envelope?.error_code !== 'string')
    return new Fault(status, { code: `HTTP_${status}`, message: `The answer was ${status}.`, requestId })
  return new Fault(status, { code: envelope.error_code, message: envelope.error_message ?? '', requestId, details: envelope.details ?? {} })
}
