import { isParked, isTerminal, pause } from '../../../client/src/index.ts'
import { write } from '../output.ts'
import type { Session } from '../session.ts'
import { lineOfEvent, readLog } from './read.ts'

const LONGEST_WAIT_MS = 2_000

/** Prints the events of an order, from the first on, until it is as asked for. */
export async function watchOrder(session: Session, { until }: WatchOptions, order_id: string): Promise<void> {
  const { operations } = await session.client()
  const read = (await session.side()) === 'buyer' ? operations.getOrder : operations.getReceivedOrder
  const isReached = until === 'parked' ? isParked : isTerminal
  let seq = 0
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    // The order is read before its log, so that the log holds at least what the order has come to.
    const order = (await read({ path: { order_id } })).body
    for (const event of order.last_seq > seq ? await readLog(session, order_id, seq) : []) {
      await write(session.json ? `${JSON.stringify(event)}\n` : `${lineOfEvent(event)}\n`)
      seq = event.seq
      waitMs = 100
    }
    if (isReached(order)) return
    await pause(waitMs, session.signal)
  }
}

export interface WatchOptions {
  readonly until: 'parked' | 'ended'
}
