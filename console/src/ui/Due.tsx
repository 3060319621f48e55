import { useNow } from '../api/clock.ts'
import classes from './figures.module.css'
import { instantText, useIsUtc } from './zone.ts'

const SOON_MS = 10 * 60_000

interface DueProps {
  by: string | undefined
  /** The words before a time in the future, such as `due in`. */
  ahead?: string
  /** Whether something merely ends at this time, without anyone being late. */
  isExpiry?: boolean
}

/** A countdown by the marketplace's clock: `0:41:07`, `3 h 20 min`, `2 d 3 h`, `overdue 0:12:04`, `expired`. */
export function Due({ by, ahead, isExpiry = false }: DueProps) {
  const now = useNow()
  if (by === undefined) return <span className={classes.dimmed}>no deadline</span>
  const left = Date.parse(by) - now
  const tone = left < 0 ? classes.overdue : left < SOON_MS ? classes.soon : ''
  return (
    <>
      {ahead !== undefined && left >= 0 && `${ahead} `}
      <time dateTime={by} title={instantTitle(by)} className={`${classes.figure} ${tone}`}>
        {isExpiry && left < 0 ? 'expired' : dueText(left)}
      </time>
    </>
  )
}

/** Shows an instant in the zone that its reader has chosen, with the UTC time as its title; on paper with year and zone. */
export function Instant({ at, date = 'short' }: { at: string; date?: 'short' | 'none' | 'paper' }) {
  const [isUtc] = useIsUtc()
  return (
    <time dateTime={at} title={instantTitle(at)} className={classes.figure}>
      {instantText(at, date === 'none' ? 'time' : date, isUtc)}
    </time>
  )
}

function dueText(left: number): string {
  const text = spanText(Math.abs(left))
  return left < 0 ? `overdue ${text}` : text
}

/** Says how long ago something happened: `12 s`, `4 min`, `3 h`, `2 d`. */
export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`
}

function spanText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  // What is hours away does not tick.
  if (hours >= 1) return `${hours} h ${minutes} min`
  return `${hours}:${String(minutes).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}

function instantTitle(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}
