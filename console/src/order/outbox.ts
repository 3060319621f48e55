import { useSyncExternalStore } from 'react'
import { isUnanswered } from '../api/fault.ts'
import { type Decide, decideOrder, type OrderRow } from '../api/queries/orders.ts'
import type { Refused } from './decision.ts'
import { undoSeconds } from './undoTime.ts'

/** The decisions that are on their way: they can be undone for some seconds, and are sent once. */

export interface Command extends Refused {
  readonly order: Pick<OrderRow, 'order_id' | 'external_order_id' | 'totals'>
  /** The state of the order that its sender saw. */
  readonly lastSeq: number
  readonly body: Decide
  /** What the body was made from. The same decision again has the same bytes, so that it is carried out once. */
  readonly madeOf?: string
  readonly onSent?: () => void
}

export type Outcome = { readonly state: 'waiting' | 'sent' } | { readonly state: 'refused'; readonly error: unknown }

export interface Sending {
  readonly id: number
  readonly commands: readonly Command[]
  /** What it does, as text: `Approves PO-0240, USD 61,894.00`; and what it has done: `Approved PO-0240`. */
  readonly will: string
  readonly done: string
  /** Whether it decides orders that were selected. */
  readonly isBulk: boolean
  readonly state: 'undoable' | 'sending' | 'done' | 'undone'
  /** When it is sent, by the clock of this computer. */
  readonly sendsAt: number
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly onSettled: (orderIds: readonly string[]) => void
}

export type NewSending = Pick<Sending, 'commands' | 'will' | 'done' | 'isBulk' | 'onSettled'>

/** After a send, nothing is sent for this long: the next order has not been read yet. */
const QUIET_MS = 600
/** How long a success stays on the page. */
const TOLD_MS = 4_000
const IN_FLIGHT = 4

let sendings: readonly Sending[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let lastId = 0
let isQuiet = false
const listeners = new Set<() => void>()

// The first comes while there is time to send; the second also where a browser leaves the first out.
for (const leaving of ['beforeunload', 'pagehide']) window.addEventListener(leaving, () => void flush({ isLeaving: true }))

/**
 * Takes decisions to send; returns whether it does, since nothing is taken right after the last send. Those before it are sent at once; it follows
 * when it can no longer be undone.
 */
export function submit(next: NewSending): boolean {
  if (isQuiet) return false
  void flush()
  const seconds = undoSeconds()
  const again = new Set(next.commands.map(({ order }) => order.order_id))
  const isOld = ({ state, commands }: Sending) =>
    state === 'undone' || (state === 'done' && commands.every(({ order }) => again.has(order.order_id)))
  lastId += 1
  const outcomes = new Map<string, Outcome>(next.commands.map(({ order }) => [order.order_id, { state: 'waiting' }]))
  const sending: Sending = { ...next, id: lastId, state: 'undoable', sendsAt: Date.now() + seconds * 1_000, outcomes }
  isQuiet = true
  setTimeout(() => {
    isQuiet = false
    tell()
  }, QUIET_MS)
  put([...sendings.filter((one) => !isOld(one)), sending])
  if (seconds === 0) void flush()
  else timer = setTimeout(() => void flush(), seconds * 1_000)
  return true
}

/** Sends what could still be undone. A page that is being left has its calls outlive it. */
export async function flush({ isLeaving = false } = {}): Promise<void> {
  clearTimeout(timer)
  await Promise.all(sendings.flatMap(({ id, state }) => (state === 'undoable' ? [carryOut(id, isLeaving)] : [])))
}

/** Takes back what has not been sent yet, and returns it. */
export function undo(): Sending | undefined {
  clearTimeout(timer)
  const sending = sendings.find(({ state }) => state === 'undoable')
  if (sending === undefined) return undefined
  change(sending.id, { state: 'undone' })
  forgetLater(sending.id)
  return sending
}

/** Sends once more what got no reply, with the same bytes. */
export function sendAgain(id: number): void {
  void carryOut(id, false)
}

export function dismiss(id: number): void {
  put(sendings.filter((one) => one.id !== id))
}

/** Takes back what has not been sent, when another person uses this page. */
export function discard(): void {
  clearTimeout(timer)
  put(sendings.filter(({ state }) => state === 'sending'))
}

export function useSendings(): readonly Sending[] {
  return useSyncExternalStore(subscribe, () => sendings)
}

/** Whether something was sent so recently that nothing else may be. */
export function useIsQuiet(): boolean {
  return useSyncExternalStore(subscribe, () => isQuiet)
}

/** What became of the latest decision on an order. */
export interface Sent {
  readonly sending: Sending
  readonly command: Command
  readonly outcome: Outcome
}

export function sentOf(all: readonly Sending[], orderId: string): Sent | undefined {
  for (const sending of all.toReversed()) {
    const command = sending.commands.find(({ order }) => order.order_id === orderId)
    const outcome = sending.outcomes.get(orderId)
    if (command && outcome && sending.state !== 'undone') return { sending, command, outcome }
  }
  return undefined
}

/** Whether a decision on the order is on its way. */
export function isPending(sent: Sent | undefined): boolean {
  return sent !== undefined && sent.outcome.state === 'waiting'
}

async function carryOut(id: number, isLeaving: boolean): Promise<void> {
  const sending = sendings.find((one) => one.id === id)
  if (sending === undefined) return
  const left = sending.commands.filter(({ order }) => !isSettled(sending.outcomes.get(order.order_id)))
  const waiting = left.map(({ order }) => [order.order_id, { state: 'waiting' }] as const)
  change(id, { state: 'sending', outcomes: new Map([...sending.outcomes, ...waiting]) })
  const settle = (orderId: string, outcome: Outcome) => {
    const now = sendings.find((one) => one.id === id)
    if (now) change(id, { outcomes: new Map(now.outcomes).set(orderId, outcome) })
  }
  const lane = async () => {
    for (let command = left.shift(); command !== undefined; command = left.shift())
      settle(command.order.order_id, await outcomeOf(command, isLeaving))
  }
  await Promise.all(Array.from({ length: isLeaving ? left.length : IN_FLIGHT }, lane))
  change(id, { state: 'done' })
  sending.onSettled(sending.commands.map(({ order }) => order.order_id))
  if (!isRefused(sendings.find((one) => one.id === id))) forgetLater(id)
}

/** Whether the API has answered; without an answer the decision may be sent again. */
function isSettled(outcome: Outcome | undefined): boolean {
  return outcome?.state === 'sent' || (outcome?.state === 'refused' && !isUnanswered(outcome.error))
}

export function isRefused(sending: Sending | undefined): boolean {
  return [...(sending?.outcomes.values() ?? [])].some(({ state }) => state === 'refused')
}

async function outcomeOf({ order, lastSeq, body, onSent }: Command, keepalive: boolean): Promise<Outcome> {
  try {
    await decideOrder({ orderId: order.order_id, lastSeq, body }, { keepalive })
    onSent?.()
    return { state: 'sent' }
  } catch (error) {
    return { state: 'refused', error }
  }
}

/** What was done for selected orders is read in its dialog, which its user closes. */
function forgetLater(id: number): void {
  setTimeout(() => {
    const sending = sendings.find((one) => one.id === id)
    if (sending && !sending.isBulk) dismiss(id)
  }, TOLD_MS)
}

function change(id: number, next: Partial<Sending>): void {
  put(sendings.map((one) => (one.id === id ? { ...one, ...next } : one)))
}

function put(next: readonly Sending[]): void {
  sendings = next
  tell()
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
