import { expect, it } from '@jest/globals'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()

it('refuses an event without a hash', async () => {
  await expect(
    db.owner().query(
      `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body)
          values ('ord_x', 's', 'b', 1, 'c', 0, now(), '{}')`,
    ),
  ).rejects.toMatchObject({ code: '23502', column: 'hash' })
})
