import { useNow } from '../api/clock.ts'
import { useDownSince } from '../api/health.ts'
import { agoText, Instant } from './Due.tsx'
import classes from './Shell.module.css'

/** Says since when the marketplace does not answer, and that what is shown is old. */
export function OutageBanner() {
  const since = useDownSince()
  return (
    <div role="status">
      {since !== undefined && (
        <div className={classes.banner}>
          The marketplace has not answered since <Instant at={new Date(since).toISOString()} date="none" /> (<Ago since={since} />
          ). What you see may be old; nothing can be sent until it answers.
        </div>
      )}
    </div>
  )
}

function Ago({ since }: { since: number }) {
  useNow()
  return <span aria-hidden="true">{agoText(Date.now() - since)}</span>
}
