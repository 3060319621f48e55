import { repeatOf } from '../../domain/order/repeatOf.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { supersede } from '../../domain/order/supersede.ts'
import { invalidState } from '../../domain/order/transitions.ts'
import { writesOf } from '../../domain/order/writesOf.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Command } from '../../store/orders/command.ts'
import { type Decide, identify, refuseForeign, refuseUnseen, rulingOf } from './applyCommand.ts'
import { familyToPlaceIn } from './familyToPlaceIn.ts'
import type { OrderDeps } from './orderDeps.ts'
import { holdToCredit } from './write.ts'

/**
 * Returns what a command would do: its outcome, and the order after it. Takes the steps of `applyStep` under the order's lock, and writes
 * nothing. So it makes the same checks as the command, including the agreement's credit. A repeat returns its stored outcome. If the order must
 * first end, because its revision was placed, the command is refused as the ended order would refuse it.
 */
export function previewCommand<Outcome>(
  { log }: Pick<OrderDeps, 'log'>,
  orderId: string,
  command: Command,
  decide: Decide<Outcome>,
): Promise<{ outcome: Outcome; after: OrderState }> {
  return log.exclusively(
    orderId,
    async (open, held) => {
      const { order } = open
      refuseForeign(order, command)
      const now = new Date().toISOString()
      const ruling = rulingOf(() => decide(order, now, open))
      const repeated = repeatOf(open, identify(command, order), () => ruling)
      if (repeated !== undefined) return { ...repeated, after: order }
      refuseUnseen(order, command)
      if (ruling instanceof Refusal) throw ruling
      const family = await familyToPlaceIn({ order, held }, ruling)
      if (family.successor !== undefined) {
        const { after } = writesOf(open, supersede(order, family.successor, true), now)
        throw invalidState(after, `The order is ${after.status}: its revision was placed.`)
      }
      const { after, draw, outcome } = writesOf(open, ruling, now, family)
      await holdToCredit(held.tx, orderId, draw)
      return { outcome, after }
    },
    command,
  )
}
