import { useMemo } from 'react'
import { useNow } from '../../api/clock.ts'
import type { OrderRow } from '../../api/queries/orders.ts'
import { Bars } from '../../ui/Bars.tsx'
import { instantText, useIsUtc } from '../../ui/zone.ts'
import { barsOf } from './deadlines.ts'
import classes from './Queue.module.css'

const TICK_MS = 60_000

interface DeadlinePictureProps {
  readonly rows: readonly OrderRow[]
  readonly chosen: string | undefined
  readonly choose: (hour: string | undefined) => void
}

/** The gross that waits, by the hour of its deadline; a bar narrows the queue to its orders. */
export function DeadlinePicture({ rows, chosen, choose }: DeadlinePictureProps) {
  const now = Math.floor(useNow() / TICK_MS) * TICK_MS
  const [isUtc] = useIsUtc()
  const bars = useMemo(() => barsOf(rows, now, (hour) => instantText(`${hour}:00:00.000Z`, 'short', isUtc)), [rows, now, isUtc])
  return (
    <div className={classes.picture}>
      <Bars title="Gross by hour of deadline" series={['Gross']} bars={bars} chosen={chosen} choose={choose} />
    </div>
  )
}
