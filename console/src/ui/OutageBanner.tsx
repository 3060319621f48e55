import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNow } from '../api/clock.ts'
import { useOutage } from '../api/health.ts'
import { readFeed } from '../api/queries/feed.ts'
import { rest } from '../api/rest.ts'
import { agoText, Instant } from './Due.tsx'
import classes from './Shell.module.css'

/** Says since when the marketplace has not answered, and that the data on the page may be old. */
export function OutageBanner() {
  const outage = useOutage()
  useProbe(outage !== undefined)
  return (
    <div role="status">
      {outage !== undefined && (
        <div className={classes.banner}>
          {outage.why === 'limited' ? 'The marketplace has had too many requests since' : 'The marketplace has not answered since'}{' '}
          <Instant at={new Date(outage.since).toISOString()} date="none" /> (<Ago since={outage.since} />
          ). What you see may be old; nothing can be sent until it answers.
        </div>
      )}
    </div>
  )
}

const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 30_000

/** Calls the marketplace until it answers, then refreshes all visible data, since reads that gave up during the outage do not retry. */
function useProbe(isDown: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isDown) return
    const ending = new AbortController()
    const probe = async () => {
      for (let pause = FIRST_PAUSE_MS; !ending.signal.aborted; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
        await rest(pause, ending.signal)
        await readFeed('now', 0, ending.signal).catch(() => undefined)
      }
    }
    void probe()
    return () => {
      ending.abort()
      void queries.invalidateQueries({ refetchType: 'active' })
    }
  }, [queries, isDown])
}

function Ago({ since }: { since: number }) {
  useNow()
  return <span aria-hidden="true">{agoText(Date.now() - since)}</span>
}
