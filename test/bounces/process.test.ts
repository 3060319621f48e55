import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { bounceAddress } from '../../src/adapters/bounceToken.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { platformKey } from '../../src/store/tenants/platformKey.ts'
import { dsn } from '../support/mail/dsn.ts'
import { ediMessage } from '../support/mail/ediMessage.ts'
import { handOver, smtpDialog } from '../support/mail/smtpDialog.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const DOMAIN = 'bounces.marketplace.example'
const MAIN = fileURLToPath(new URL('../../bounces/main.ts', import.meta.url))

function run(settings: NodeJS.ProcessEnv) {
  const own = {
    DATABASE_URL: market.databaseUrl,
    DATA_DIR: market.dataDir,
    SECRETS_KEY: market.secretsKey.toString('base64'),
    HOST: '127.0.0.1',
  }
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: { ...process.env, NODE_OPTIONS: '', ...own, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text
    })
  return { child, said: () => said }
}

describe('the bounce process', () => {
  it('takes bounces until it is stopped, even while a connection is open', async () => {
    const port = await freePort()
    const { child } = run({ MAIL_INBOUND_PORT: String(port), MAIL_BOUNCE_DOMAIN: DOMAIN })
    await once(child, 'message')
    const message_id = await ediMessage(market.owner(), { order_id: await market.parked() })
    const to = bounceAddress(message_id, DOMAIN, await platformKey(market.deps.db, 'bounce'))
    expect((await handOver(port, to, dsn()))[1]).toMatch(/^250 /)
    const { rows } = await market.owner().query('select status from edi_messages where message_id = $1', [message_id])
    expect(rows).toEqual([{ status: 'bounced' }])

    const open = await smtpDialog(port)
    await open.say('EHLO relay.example')
    const started = Date.now()
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect([code, Date.now() - started < 4_000]).toEqual([0, true])
    open.end()
  })

  it('ends with its parent', async () => {
    const { child } = run({ MAIL_INBOUND_PORT: String(await freePort()), MAIL_BOUNCE_DOMAIN: DOMAIN })
    await once(child, 'message')
    child.disconnect()
    await once(child, 'exit')
    expect(child.exitCode).toBe(0)
  })

  it.each([
    [{}, 'MAIL_INBOUND_PORT must be set for a bounce server that runs alone.'],
    [
      { MAIL_INBOUND_PORT: '2525' },
      'MAIL_BOUNCE_DOMAIN must be set when MAIL_INBOUND_PORT is: it is the domain whose mail that port takes.',
    ],
    [
      { MAIL_INBOUND_PORT: '2525', MAIL_BOUNCE_DOMAIN: DOMAIN, DATABASE_URL: '' },
      'DATABASE_URL must be set for a bounce server that runs alone.',
    ],
  ])('says in one sentence what %j lacks', async (settings, sentence) => {
    const { child, said } = run({ MAIL_INBOUND_PORT: '', MAIL_BOUNCE_DOMAIN: '', ...settings })
    await once(child, 'close')
    expect([child.exitCode, said()]).toEqual([1, `${sentence}\n`])
  })

  it('says in one sentence that its port is taken', async () => {
    const port = new URL(market.baseUrl).port
    const { child, said } = run({ MAIL_INBOUND_PORT: port, MAIL_BOUNCE_DOMAIN: DOMAIN })
    await once(child, 'close')
    await until(() => said() !== '')
    expect(said()).toBe(`The bounce server cannot listen at 127.0.0.1, port ${port} (EADDRINUSE); correct HOST or MAIL_INBOUND_PORT.\n`)
  })
})
