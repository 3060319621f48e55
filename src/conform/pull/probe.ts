import type { Outbound } from '../../adapters/http/outboundCall.ts'
import { callSeller, type SellerAnswer, type SellerConnection } from '../../operations/pull/callSeller.ts'
import { FixtureUnsatisfied } from '../story.ts'
import { connectionFault, seenOf } from './answerFaults.ts'
import { askedOrder } from './asked.ts'

export interface PullTarget extends SellerConnection {
  readonly outbound: Outbound
  /** Milliseconds for an answer; by default those of the contract. */
  readonly deadlines?: { decision: number; availability: number }
  /** Milliseconds to poll for a decision after a 202. */
  readonly patience?: number
}

/** The ways in which a call differs from one of the platform. */
export type Forgery = Partial<SellerConnection & { at: number }>

/** A seller's server as the platform calls it, and the made-up order that it is asked about first. */
export interface Probe {
  readonly order: ReturnType<typeof askedOrder>
  readonly deadlines: { decision: number; availability: number }
  readonly patience: number
  call(method: 'GET' | 'POST' | 'DELETE', path: string, id: string, body?: object, forgery?: Forgery): Promise<SellerAnswer>
  /** The answer to the first call, which is made once. */
  first(): Promise<SellerAnswer>
  /** Fails with FixtureUnsatisfied if the first call got no answer that others could follow. */
  reached(): Promise<void>
}

const DEADLINES = { decision: 10_000, availability: 3_000 }

export function openProbe({ outbound, base_url, secret, deadlines = DEADLINES, patience = 15_000 }: PullTarget): Probe {
  const order = askedOrder()
  const call: Probe['call'] = (method, path, id, body, { at, ...other } = {}) => {
    const deadline = path === '/availability' ? deadlines.availability : deadlines.decision
    const sent = { ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(at === undefined ? {} : { at }) }
    return callSeller(outbound, { base_url, secret, ...other }, { method, path, id, deadline, ...sent })
  }
  let asked: Promise<SellerAnswer> | undefined
  const first = () => (asked ??= call('POST', '/decisions', `${order.order_id}:decision`, order))
  return {
    ...{ order, deadlines, patience, call, first },
    async reached() {
      const answer = await first()
      if (connectionFault(answer, deadlines.decision) === undefined) return
      throw new FixtureUnsatisfied(`${seenOf(answer)}: the first request failed`, 'mend what pull.decides says, and run it again')
    },
  }
}
