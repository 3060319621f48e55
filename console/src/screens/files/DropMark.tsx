import type { DropResult } from '../../api/queries/drops.ts'
import type { IconName } from '../../ui/icons.tsx'
import { Mark, type Tone } from '../../ui/Mark.tsx'

/** Shows the status of a drop; a drop with a reason is waiting. */
export function DropMark({
  drop: { status, reason },
  detail,
}: {
  drop: Pick<DropResult, 'status' | 'reason'>
  detail?: string | undefined
}) {
  const [icon, tone, word] = LOOKS[reason === undefined ? status : 'waiting']
  return <Mark icon={icon} tone={tone} word={word} detail={detail} />
}

const LOOKS: Record<DropResult['status'] | 'waiting', readonly [IconName, Tone, string]> = {
  waiting: ['clock', 'warn', 'Waiting'],
  processing: ['clock', 'info', 'Processing'],
  success: ['check', 'good', 'Success'],
  partial: ['alert', 'warn', 'Partial'],
  rejected: ['cross', 'bad', 'Rejected'],
}
