import { useEffect, useRef, useState } from 'react'
import { useNow } from '../api/clock.ts'
import classes from './figures.module.css'

interface Deadline {
  readonly name: string
  readonly by: string | undefined
}

const WARNING_MS = 10 * 60_000

/** Announces to screen readers which orders become due within ten minutes and which become overdue. */
export function SpokenDeadlines({ deadlines }: { deadlines: readonly Deadline[] }) {
  const now = useNow()
  const before = useRef(now)
  const [spoken, setSpoken] = useState('')
  useEffect(() => {
    const since = before.current
    before.current = now
    const isPassed = (at: number) => since < at && at <= now
    const news = deadlines.flatMap(({ name, by }) => {
      const at = by === undefined ? Number.NaN : Date.parse(by)
      if (isPassed(at)) return [`${name} is overdue.`]
      return isPassed(at - WARNING_MS) ? [`${name} is due in 10 minutes.`] : []
    })
    if (news.length > 0) setSpoken(news.join(' '))
  }, [now, deadlines])
  return (
    <div className={classes.spoken} aria-live="polite">
      {spoken}
    </div>
  )
}
