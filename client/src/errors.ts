import type { components } from './schema.js'

type ErrorEnvelope = components['schemas']['ErrorEnvelope']
export type Fault = NonNullable<ErrorEnvelope['details']['errors']>[number]

/** The marketplace refused a request, or failed. The message is one sentence. */
export class MarketplaceError extends Error {
  override readonly name = 'MarketplaceError'
  /** The HTTP status. */
  readonly status: number
  /** The error_code, such as INVALID_INPUT; undefined if the reply came from something in between. */
  readonly code: string | undefined
  /** The dotted path of the member that is wrong, if it is one. */
  readonly field: string | undefined
  /** Every fault that was found, each with its JSON pointer. */
  readonly errors: readonly Fault[]
  /** Names the request in the logs of the service: give it to support. */
  readonly requestId: string | undefined
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Headers
  /** The body of the reply as received. */
  readonly text: string

  constructor(call: string, response: { status: number; headers: Headers }, text: string) {
    const envelope = envelopeIn(text)
    const { status, headers } = response
    super(
      `${call} was refused with ${status}: ${envelope === undefined ? text.slice(0, 200) || 'no reason was given.' : reasonIn(envelope)}`,
    )
    this.status = status
    this.code = envelope?.error_code
    this.field = typeof envelope?.details.field === 'string' ? envelope.details.field : undefined
    this.errors = envelope?.details.errors ?? []
    this.requestId = headers.get('X-Request-Id') ?? undefined
    this.details = envelope?.details ?? {}
    this.headers = headers
    this.text = text
  }
}

/** No reply came, or only part of one: the request may have been carried out. Send the same bytes again. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

function envelopeIn(text: string): ErrorEnvelope | undefined {
  try {
    const body = JSON.parse(text) as ErrorEnvelope | null
    return typeof body?.error_code === 'string' ? body : undefined
  } catch {
    return undefined
  }
}

function reasonIn({ error_code, error_message, details }: ErrorEnvelope): string {
  const others = (details.errors?.length ?? 1) - 1
  return `${error_code}, ${error_message}${others > 0 ? ` (and ${others} more)` : ''}`
}
