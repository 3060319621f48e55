import type { components } from '../api/schema.d.ts'
import { Icon, type IconName } from './icons.tsx'
import classes from './Status.module.css'

type OrderStatus = components['schemas']['OrderSnapshot']['status']
type LineStatus = components['schemas']['LineResultOutput']['status']
type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

/** A status as a word, an icon and a color, so that no one of them has to be seen. */
export function Status({ of, substatus }: { of: OrderStatus | LineStatus; substatus?: string | null }) {
  const [icon, tone, word] = LOOKS[of]
  return (
    <span className={`${classes.status} ${classes[tone]}`}>
      <Icon name={icon} size={14} />
      {word}
      {substatus && <span className={classes.detail}>{substatus.replaceAll('_', ' ')}</span>}
    </span>
  )
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
