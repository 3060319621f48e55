import { type Client, type Event, eventId, isOrderEvent } from '../../../client/src/index.ts'
import { checked } from '../events/tail.ts'
import { UsageFault } from '../exits.ts'
import { say, write } from '../output.ts'
import type { Session } from '../session.ts'
import { type Attempt, bring, type Post, type Receiver } from './bring.ts'
import { followDeliveries } from './deliveries.ts'
import { listenSecrets } from './secrets.ts'

/** How long one read of the feed waits. */
const WAIT_S = 20

/** Brings events to a receiver on this machine until it is told to end. */
export async function listen(session: Session, options: ListenOptions): Promise<void> {
  if (options.forward === undefined && options.printJson !== true)
    throw new UsageFault('Name the receiver by --forward, or print the events by --print-json.')
  if (options.forward !== undefined && (!URL.canParse(options.forward) || !/^https?:$/.test(new URL(options.forward).protocol)))
    throw new UsageFault(`${JSON.stringify(options.forward)} is not the address of a receiver, such as http://localhost:3000/hook.`)
  const from = checked(options.after) ?? 'now'
  const client = await session.client()
  const { url } = await session.access()
  const { entity, scopes } = await client.credential()
  const secrets = await listenSecrets(`${url} ${entity}`, options.rotateSecret === true)
  const sender = openSender(session, options, secrets)
  say(`Events of ${entity} at ${url}${options.forward === undefined ? '' : ` go to ${options.forward}`}. Ctrl-C ends.`)
  say(`Secret of the signatures, the same each time: ${secrets[0]}${secrets.length > 1 ? ' (the one before signs too, for a day)' : ''}`)
  const sees = { events: options.events, statuses: options.statuses, endpoint: options.endpoint, signal: session.signal }
  const follows = [
    ...(options.endpoint === undefined ? [followFeed(client, { ...options, after: from }, session.signal, sender.post)] : []),
    ...((scopes as readonly string[]).includes('webhooks:write') ? [followDeliveries(client, sees, sender.post)] : []),
  ]
  if (follows.length === 0) throw new UsageFault('Deliveries of an endpoint are read with the scope webhooks:write, which the token lacks.')
  try {
    // The first that fails ends the others.
    await Promise.all(follows)
  } catch (error) {
    if (!session.signal.aborted) throw error
  }
}

async function followFeed(
  client: Client,
  options: ListenOptions,
  signal: AbortSignal,
  post: (event: Event) => Promise<void>,
): Promise<void> {
  const { events, statuses, after } = options
  const filters = { ...(events && { events: events as never }), ...(statuses && { statuses: statuses as never }) }
  for await (const { event } of client.events({ ...filters, from: after, waitSeconds: WAIT_S, signal })) await post(event)
}

interface Sender {
  /** Prints an event, and makes the first attempt to bring it. */
  post(event: Event): Promise<void>
}

/** The most events of which further attempts are waited for at a time. */
const MAX_WAITING = 100

function openSender({ signal }: Session, options: ListenOptions, secrets: readonly string[]): Sender {
  const waiting = new Set<Promise<void>>()
  const printed = (text: string) => write(text).catch(() => undefined)
  const receiver: Omit<Receiver, 'url'> = {
    secrets,
    headers: headersOf(options.headers ?? []),
    fail: options.fail,
    signal,
    onAttempt: (post, attempt) =>
      void (options.printJson === true ? say(attemptLine(post, attempt)) : printed(`${attemptLine(post, attempt)}\n`)),
  }
  return {
    async post(event) {
      const body = JSON.stringify(event)
      if (options.printJson === true) await write(`${body}\n`)
      if (options.forward === undefined) return
      const { all } = await bring({ event_id: eventId(event), body }, { ...receiver, url: options.forward })
      const watched = all.catch(() => undefined).finally(() => waiting.delete(watched))
      waiting.add(watched)
      if (waiting.size >= MAX_WAITING) await Promise.race(waiting)
    },
  }
}

function attemptLine({ event_id, body }: Post, { number, status, error, latency_ms, outcome }: Attempt): string {
  const event = JSON.parse(body) as Event
  const what = isOrderEvent(event) ? event.status : event.event_type
  const follows = outcome === 'again' ? ', again soon' : outcome === 'dropped' ? ', dropped' : ''
  return `${new Date().toISOString()}  ${event_id}  ${what}  attempt ${number}: ${status ?? error} in ${latency_ms} ms${follows}`
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(?:\s*([\x21-\x7e][\x20-\x7e]*))?$/.exec(line.trim()) ?? []
      if (name === undefined) throw new UsageFault(`${JSON.stringify(line)} is not a header, such as "X-Tenant: acme".`)
      return [name.toLowerCase(), value]
    }),
  )
}

export interface ListenOptions {
  readonly forward?: string
  readonly events?: string[]
  readonly statuses?: string[]
  readonly endpoint?: string
  readonly headers?: string[]
  readonly fail?: Failing
  readonly printJson?: boolean
  readonly after: string
  readonly rotateSecret?: boolean
}

export interface Failing {
  readonly status: number
  readonly times: number
}
