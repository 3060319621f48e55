import type { OrderEvent } from '../../contract/event.ts'
import { LOG_CHARACTERS } from '../../contract/vocabulary/bounds.ts'
import { Refusal } from '../refusal.ts'

/**
 * Refuses further counters and plans once an order's log is so long that reading it would delay others (choices, A counter). Only these can
 * repeat without limit, and each of their events carries every line. Answers are always accepted. `characters` is the size of the log before
 * `events`.
 */
export function checkRoom(characters: number, events: readonly OrderEvent[]): void {
  const [counter, plan] = [events.some(isCounter), events.some(({ artifact }) => artifact?.name === 'plan_proposal')]
  if (!counter && !plan) return
  if (characters + JSON.stringify(events).length <= LOG_CHARACTERS) return
  const message = `The order has reached its size limit and accepts no more ${counter ? 'counters' : 'plans'}; answer the current ${counter ? 'counters' : 'plan'}.`
  throw new Refusal('INVALID_INPUT', message, { field: counter ? 'units' : 'line_items' })
}

function isCounter({ decision_record }: OrderEvent): boolean {
  return decision_record?.decision === 'counter'
}
