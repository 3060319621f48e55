import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { runProgram } from '../support/runProgram.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const login = `reader_${randomBytes(4).toString('hex')}`
market.beforeStop(() => market.owner().query(`drop role if exists ${login}`))

const query = (databaseUrl: string, sql: string) => runProgram('src/cli/query', [sql], { DATABASE_URL: databaseUrl })

describe('npx order-marketplace operator query', () => {
  it('says when row security hides rows from its user, and nothing to the owner of the tables', async () => {
    await market.parked()
    await market.owner().query(`create role ${login} login password 'secret' in role marketplace_app`)
    const limited = Object.assign(new URL(market.databaseUrl), { username: login, password: 'secret' }).href
    expect(await query(limited, 'select count(*) from orders')).toEqual({
      code: 0,
      out: 'count\n0\n',
      err: expect.stringMatching(/^Row security limits what this user sees/),
    })
    expect(await query(market.databaseUrl, 'select count(*) from orders')).toEqual({ code: 0, out: 'count\n1\n', err: '' })
  })
})
