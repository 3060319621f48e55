import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { isDatabaseAway } from '../../../src/store/connection/databaseFault.ts'
import { listen } from '../../../src/store/connection/listen.ts'
import { type CuttableProxy, startCuttableProxy } from '../../support/engines/cuttableProxy.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

/** A host that is unplugged: its connections stay open, and nothing comes over them. */

const db = useDatabase()
let proxy: CuttableProxy
let url: string
beforeAll(async () => {
  const { host, username, pathname, password } = new URL(db.url)
  proxy = await startCuttableProxy(`http://${host}`)
  url = `postgres://${username}:${password}@${new URL(proxy.url).host}${pathname}`
})
afterAll(() => proxy.close())

it('a connection of the pool that was idle for longer than its limit is ended when it is silent later', async () => {
  const pooled = openDatabase(url, { max: 1, statementTimeout: 100 })
  await pooled.pool.query('select')
  await sleep(1_500) // the limit is a second and a tenth
  proxy.silence()
  const fault = await pooled.pool.query('select').catch((error: unknown) => error)
  expect(isDatabaseAway(fault)).toBe(true)
  await pooled.pool.query('select')
  await pooled.close()
}, 10_000)

it('a listener hears again soon after its connection has gone silent without a reset', async () => {
  const heard: (string | undefined)[] = []
  const listener = listen(url, 'spoken', (payload) => void heard.push(payload), { askMs: 400 })
  const says = async (word: string) => void (await db.pool.query(`select pg_notify('spoken', $1)`, [word]))
  try {
    await until(() => heard.length === 1) // it listens
    await says('before')
    await until(() => heard.includes('before'))
    proxy.silence()
    await says('missed')
    await until(() => heard.filter((word) => word === undefined).length === 2, 10)
    await says('after')
    await until(() => heard.includes('after'))
    expect(heard).toEqual([undefined, 'before', undefined, 'after'])
  } finally {
    await listener.close()
  }
})
