import type { OrderEvent } from '../../contract/event.ts'
import { LOG_CHARACTERS } from '../../contract/vocabulary.ts'
import { Refusal } from '../refusal.ts'

/**
 * Counters and plans alone can go on without end, each event of theirs with every line. Once the log of an order is so long that reading it would
 * hold up everybody (choices, A counter), what stands is to be answered; that always has room. `characters` are those of the log before `events`.
 */
export function checkRoom(characters: number, events: readonly OrderEvent[]): void {
  const [counter, plan] = [events.some(isCounter), events.some(({ artifact }) => artifact?.name === 'plan_proposal')]
  if (!counter && !plan) return
  if (characters + JSON.stringify(events).length <= LOG_CHARACTERS) return
  const message = `This order has been negotiated at such length that it takes no more ${counter ? 'counters' : 'plans'}: answer what stands.`
  throw new Refusal('INVALID_INPUT', message, { field: counter ? 'units' : 'line_items' })
}

function isCounter({ decision_record }: OrderEvent): boolean {
  return decision_record?.decision === 'counter'
}
