import { setCurrentDetails } from '@temporalio/workflow'
import type { MailState } from '../src/domain/edi/mailState.ts'
import { ORDER_ATTRIBUTES } from './searchAttributes.ts'
import { moment, upsertChanged } from './showOperators.ts'

/** Shows in the Temporal UI how many mails of an agreement wait, and why they are stuck. Names no address: details are not encrypted. */
export function showMail({ at, waiting, stuck, seller, buyer_entity }: MailState): void {
  upsertChanged([
    { key: ORDER_ATTRIBUTES.OrderStuckReason, value: stuck === null ? null : `mail:${stuck}` },
    ...(stuck === null
      ? []
      : [
          { key: ORDER_ATTRIBUTES.OrderSeller, value: seller },
          { key: ORDER_ATTRIBUTES.OrderBuyer, value: buyer_entity },
        ]),
  ])
  setCurrentDetails(at === null ? 'Nothing waits.' : detailsOf(at, waiting, stuck))
}

function detailsOf(at: string, waiting: number, stuck: MailState['stuck']): string {
  const lines = [`**${waiting}** ${waiting === 1 ? 'mail waits' : 'mails wait'}; the next attempt is due at ${moment(at)}.`]
  if (stuck !== null) lines.push(`**Stuck**: \`${stuck}\`. It is tried again automatically; the runbook says what each reason means.`)
  return lines.join('\n\n')
}
