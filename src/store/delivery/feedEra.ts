import { asOwner } from '../connection/asOwner.ts'

/**
 * Begins a new era of the feed, as the URL's user (who must own the tables): every cursor ever issued continues from here, and new events
 * come after all of them. Call it after a restore; it does no harm at other times.
 */
export function beginFeedEra(databaseUrl: string): Promise<void> {
  return asOwner(databaseUrl, async (client) => {
    await client.query('select begin_feed_era()')
  })
}

/** Begins a new era if the database is on another cluster than at the last era, for example after a restored dump. Returns true if so. */
export function beginFeedEraIfMoved(databaseUrl: string): Promise<boolean> {
  return asOwner(databaseUrl, async (client) => {
    const { rowCount } = await client.query(`
      select begin_feed_era() from (select cluster from feed_eras order by begins desc limit 1) as last, pg_control_system() as control
      where last.cluster <> control.system_identifier::text`)
    return rowCount === 1
  })
}
