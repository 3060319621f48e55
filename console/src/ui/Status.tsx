import type { components } from '../api/schema.d.ts'
import type { IconName } from './icons.tsx'
import { Mark, type Tone } from './Mark.tsx'

type OrderStatus = components['schemas']['OrderSnapshot']['status']
type LineStatus = components['schemas']['LineResultOutput']['status']

/** Shows the status of an order or a line. */
export function Status({ of, substatus }: { of: OrderStatus | LineStatus; substatus?: string | null }) {
  const [icon, tone, word] = LOOKS[of]
  return <Mark icon={icon} tone={tone} word={word} detail={substatus?.replaceAll('_', ' ')} />
}

export function statusWord(status: OrderStatus | LineStatus): string {
  return LOOKS[status][2]
}

const LOOKS: Record<OrderStatus | LineStatus, readonly [IconName, Tone, string]> = {
  submitted: ['clock', 'quiet', 'Submitted'],
  validating: ['clock', 'quiet', 'Validating'],
  needs_confirmation: ['alert', 'warn', 'Needs confirmation'],
  confirmed: ['check', 'info', 'Confirmed'],
  seller_review: ['inbox', 'info', 'In review'],
  negotiating: ['swap', 'warn', 'Negotiating'],
  placed: ['check', 'good', 'Placed'],
  canceled: ['ban', 'quiet', 'Canceled'],
  rejected: ['cross', 'bad', 'Rejected'],
  failed: ['alert', 'bad', 'Failed'],
  pending: ['clock', 'quiet', 'Pending'],
  accepted: ['check', 'good', 'Accepted'],
  countered: ['swap', 'warn', 'Countered'],
}
