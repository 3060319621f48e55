import { chownSync, mkdirSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { type MemoryDisk, memoryDisk } from '../support/files/memoryDisk.ts'
import { checkInvariants } from '../support/invariants/invariants.ts'
import { useMarket } from '../support/useMarket.ts'

/** What an order is written to. */
const TABLES = ['orders', 'order_records', 'order_events', 'feed', 'outbox', 'order_outcomes']

const disk = memoryDisk('size=64m,mode=755', 'The test of a full disk of PostgreSQL')
const withDisk = disk === undefined ? it.skip : it
const market = useMarket()
market.beforeStop(async () => {
  if (disk === undefined) return
  await moveTables('pg_default')
  await market.owner().query('drop tablespace if exists small')
})
afterAll(() => disk?.remove())

async function moveTables(tablespace: string): Promise<void> {
  for (const table of TABLES) await market.owner().query(`alter table ${table} set tablespace ${tablespace}`)
}

/** A folder on the disk that belongs to the user of the database server. */
async function folderOf({ path }: MemoryDisk): Promise<string> {
  const { rows } = await market.owner().query<{ pid: number }>('select pg_backend_pid() as pid')
  const { uid, gid } = statSync(`/proc/${rows[0]?.pid}`)
  const folder = join(path, 'tables')
  mkdirSync(folder, { mode: 0o700 })
  chownSync(folder, uid, gid)
  return folder
}

/** Fills the rest of a disk. */
async function fill(file: string): Promise<void> {
  const filler = await open(file, 'w')
  try {
    for (let size = 1 << 20; size >= 512; size /= 2)
      for (let isRoom = true; isRoom; )
        isRoom = await filler.write(Buffer.alloc(size)).then(
          ({ bytesWritten }) => bytesWritten === size,
          () => false,
        )
  } finally {
    await filler.close()
  }
}

const orderCount = async () =>
  (await market.owner().query<{ count: number }>('select count(*)::int as count from orders where buyer_entity = $1', ['acme'])).rows[0]
    ?.count

describe('a full disk of PostgreSQL', () => {
  withDisk(
    'causes 503 for every write, leaves nothing half written, and has no effect once there is room',
    async () => {
      const full = disk as MemoryDisk
      await market.owner().query(`create tablespace small location '${await folderOf(full)}'`)
      await moveTables('small')
      const parked = await market.parked()
      const before = (await orderCount()) ?? 0
      const filler = join(full.path, 'filler')
      await fill(filler)

      const accepted: string[] = []
      let refused = market.order()
      let reply = await market.acme.post('/orders', refused)
      for (; reply.status === 201 && accepted.length < 500; reply = await market.acme.post('/orders', refused)) {
        accepted.push(reply.body.order_id)
        refused = market.order()
      }
      expect([reply.status, reply.body.error_code, reply.body.recoverable]).toEqual([503, 'UNAVAILABLE', true])
      expect(await orderCount()).toBe(before + accepted.length)
      expect(await checkInvariants(market.databaseUrl)).toEqual([])
      expect((await market.snapshot(parked)).status).toBe('seller_review') // what is there is still read

      await rm(filler)
      expect((await market.acme.post('/orders', refused)).status).toBe(201)
      expect((await market.cable.post(`/me/orders/${parked}/decide`, { decision: 'approve', actor: 'Ada' })).status).toBe(202)
      expect(await orderCount()).toBe(before + accepted.length + 1)
    },
    120_000,
  )
})
