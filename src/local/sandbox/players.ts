import { dateOf } from '../../domain/calendar.ts'
import type { SandboxOutcome, SandboxRequest } from '../../domain/sandboxRequest.ts'
import { fetchFromAnyPort } from '../../sdk/fetchFromAnyPort.ts'
import { type Operations, openOwnClient } from '../../sdk/ownClient.ts'
import { carryOut } from './carryOut.ts'
import { PARTIES, type Party } from './habits.ts'
import { openShop } from './openShop.ts'
import type { NextLook } from './plans.ts'
import { playBuyer } from './playBuyer.ts'
import { answerAvails, playSeller } from './playSeller.ts'
import { servePulls } from './pullServer.ts'

/** The address of /v1, and the token of each party. */
export interface PartyAccess {
  readonly base_url: string
  readonly tokens: Readonly<Record<Party, string>>
}

/** Plays the parties of a sandbox in this process, each a client of /v1 like any other. */
export interface Players {
  /** Puts a seller's inventory on sale and names its own API; once a day and process, unless it fails. */
  open(party: Party): Promise<void>
  /** Does what is due for an order of a party. */
  play(party: Party, order_id: string): Promise<NextLook>
  /** Does what a tenant has asked for, and returns what became of it. */
  carryOut(request: SandboxRequest): Promise<SandboxOutcome>
  /** Orders that wait for the party. */
  waiting(party: Party): Promise<string[]>
  /** The orders that have moved since a cursor, after at most some seconds, and the next cursor; none yet: from now on. */
  heard(party: Party, after: string | null): Promise<{ cursor: string; order_ids: string[] }>
  /** Whether it is being closed: what is asked then fails. */
  isClosed(): boolean
  close(): Promise<void>
}

/** How long a read of the feed waits: the longest time until a request for avails is answered, which no event tells a seller of. */
const WAIT_S = 5
/** The same for parties that nothing is asked of but by orders. */
const LONG_WAIT_S = 30
const RETRY = { attempts: Number.POSITIVE_INFINITY, withinMs: 20_000, timeoutMs: 40_000 }

export async function openPlayers({ base_url, tokens }: PartyAccess): Promise<Players> {
  const stopping = new AbortController()
  const clients = new Map<string, Operations>()
  const clientOf = (party: string): Operations => {
    const known = clients.get(party)
    if (known !== undefined) return known
    const token = tokens[party as Party]
    if (token === undefined) throw new Error(`${party} is no party of the sandbox`)
    const client = openOwnClient({ baseUrl: base_url, token, signal: stopping.signal, retry: RETRY, fetch: fetchFromAnyPort })
    clients.set(party, client)
    return client
  }
  const api = await servePulls(clientOf)
  const opened = new Map<Party, string>()
  return {
    async open(party) {
      const today = dateOf(new Date().toISOString())
      if (party === 'sandbox-buyer' || opened.get(party) === today) return
      await openShop(clientOf(party), party, today, api)
      opened.set(party, today)
    },
    carryOut: (request) => carryOut(clientOf, request),
    play: (party, order_id) => (isBuyer(party) ? playBuyer : playSeller)(clientOf(party), order_id),
    async waiting(party) {
      const query = { waiting_on: PARTIES[party].side, limit: 200 }
      const client = clientOf(party)
      const { orders } = (await (isBuyer(party) ? client.listOrders({ query }) : client.listReceivedOrders({ query }))).body
      return orders.map(({ order_id }) => order_id)
    },
    async heard(party, after) {
      const query = {
        after: after ?? 'now',
        events: 'order.status_changed',
        wait_s: after === null ? 0 : party === 'sandbox-tv' ? WAIT_S : LONG_WAIT_S,
        limit: 200,
      }
      const { events, next_cursor } = (await clientOf(party).readFeed({ query })).body
      if (party === 'sandbox-tv') await answerAvails(clientOf(party))
      const order_ids = events.flatMap((event) => (event.event_type === 'order.status_changed' ? [event.order_id] : []))
      return { cursor: next_cursor, order_ids: [...new Set(order_ids)] }
    },
    isClosed: () => stopping.signal.aborted,
    async close() {
      stopping.abort()
      await api.close()
    },
  }
}

function isBuyer(party: Party): boolean {
  return PARTIES[party].side === 'buyer'
}
