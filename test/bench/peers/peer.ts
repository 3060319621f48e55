import type { Load } from '../load.ts'

/** Something that carries orders, held against the product by the same harness. */
export interface Peer {
  readonly name: string
  /** What it does with an order here, in a few words. */
  readonly work: string
  readonly leavesOut: string
  /** Orders on their way at the same time in a round. */
  readonly atOnce: number
  /** Fetches it where need be and says which version it is. Fails with NotHereError where it cannot be had. */
  fetch(say: Say): Promise<string>
  /** Whatever is to be stopped goes on `closing` at once, so that a start that fails half-way leaves nothing. */
  start(closing: Closing, say: Say): Promise<Running>
}

/** Called from the last to the first. */
export type Closing = (() => Promise<void>)[]

export type Say = (text: string) => void

/** A peer that is up and answers. */
export interface Running {
  /** Processes by the name under which their CPU and memory are shown; those below them count too. */
  readonly processes: Readonly<Record<string, number>>
  /** The request with which a new order of two lines comes in. */
  readonly intake: Pick<Load, 'baseUrl' | 'token' | 'path' | 'body' | 'status'>
  /** An order from its intake to its end, the decision of a second party included. */
  walk(): Promise<void>
  /** Comes back when nothing is left to do: orders are parked or at their end. */
  settle(): Promise<void>
}

/** A peer that this machine cannot have; the message is the reason. */
export class NotHereError extends Error {}

/** What was measured of a peer. */
export interface Figures {
  ordersPerSecond: number
  intakeP50Ms: number
  /** CPU milliseconds an order by process. */
  cpuMs: Readonly<Record<string, number>>
  memory: { restMb: number; parkedMb: number; parked: number }
  /** The share of the machine's cores that others used meanwhile, 0 to 1. */
  others: number
}

export interface Result extends Pick<Peer, 'name' | 'work' | 'leavesOut' | 'atOnce'> {
  version: string
  figures?: Figures
  /** Why there are no figures. */
  notHere?: string
}
