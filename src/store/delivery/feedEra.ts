import { asOwner } from '../connection/asOwner.ts'

/**
 * Begins a new era of the feed, as the user of the URL (who must own the tables): every cursor ever issued continues from here,
 * and new events come after all of them. To be called after a restore; at any other time it does no harm.
 */
export function beginFeedEra(databaseUrl: string): Promise<void> {
  return asOwner(databaseUrl, async (client) => {
    await client.query('select begin_feed_era()')
  })
}

/** Begins a new era if the database has moved to another cluster since the last, such as by a restored dump. Returns whether it did. */
export function beginFeedEraIfMoved(databaseUrl: string): Promise<boolean> {
  return asOwner(databaseUrl, async (client) => {
    const { rowCount } = await client.query(`
      select begin_feed_era() from (select cluster from feed_eras order by begins desc limit 1) as last, pg_control_system() as control
      where last.cluster <> control.system_identifier::text`)
    return rowCount === 1
  })
}
