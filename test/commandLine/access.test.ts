import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { useCommandLine } from '../support/commandLine.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
const line = useCommandLine()
let acme: { baseUrl: string; token: string }
let cable: { baseUrl: string; token: string }
let origin: string
beforeAll(() => {
  const { baseUrl } = market
  acme = { baseUrl, token: market.acme.token }
  cable = { baseUrl, token: market.cable.token }
  origin = baseUrl.replace(/\/v1$/, '')
})

describe('login', () => {
  it('keeps a profile that only its user can read, which the next command uses', async () => {
    const { code, out, err } = await line.run(['login', '--url', origin, '--token', acme.token])
    expect([code, out]).toEqual([0, expect.stringContaining('acme')])
    const file = join(line.folder, 'config/order-marketplace/profiles.json')
    expect(err).toBe(`Kept as the profile default in ${file}.\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700)
    const who = await line.run(['whoami', '--json'])
    expect(JSON.parse(who.out)).toMatchObject({ entity: 'acme', side: 'buyer', mode: 'sandbox' })
  })

  it('keeps several, of which --profile names one', async () => {
    await line.run(['login', '--url', origin, '--token', cable.token, '--profile', 'seller'])
    const [named, latest] = await Promise.all([line.run(['whoami', '--profile', 'default', '--json']), line.run(['whoami', '--json'])])
    expect([JSON.parse(named.out).entity, JSON.parse(latest.out).entity]).toEqual(['acme', 'cable'])
  })

  it('takes the token of standard input, and a tenant of the credentials of a sandbox', async () => {
    const credentials = await line.file('credentials.json', {
      base_url: acme.baseUrl,
      buyers: { acme: { token: acme.token } },
      sellers: {},
    })
    const of = (tenant: string) => line.run(['login', '--as', tenant, '--credentials', credentials, '--profile', 'sandbox'])
    expect(await of('acme')).toMatchObject({ code: 0, out: expect.stringContaining('acme') })
    expect(await of('nobody')).toMatchObject({ code: 2, err: `${credentials} has no tenant "nobody"; it has acme.\n` })
  })

  it('keeps nothing if the token is not known', async () => {
    const { code, err, out } = await line.run(['login', '--url', origin, '--token', 'omp_test_nobody', '--profile', 'wrong'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^GET \/v1\/credential was refused with 401: UNAUTHENTICATED, .*\n$/)
    expect(await readFile(join(line.folder, 'config/order-marketplace/profiles.json'), 'utf8')).not.toContain('wrong')
  })
})

describe('doctor', () => {
  it('says what there is and what the next level lacks, and ends with 0', async () => {
    const { code, out } = await line.as(cable, 'doctor')
    expect(code).toBe(0)
    expect(out).toMatch(/^address +ok /m)
    expect(out).toMatch(/^token +ok +of the seller cable/m)
    expect(out).toMatch(/^level 1 +ok +for level 2: declare realtime_availability/m)
  })

  it('finds an endpoint that has been disabled, and ends with 1', async () => {
    const { body } = await market.acme.post('/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
    await market.owner().query("update webhook_endpoints set status = 'disabled', disabled_reason = 'gone'")
    const { code, out, err } = await line.as(acme, 'doctor', '--json')
    expect([code, err]).toEqual([1, '1 of 5 checks failed.\n'])
    const said = expect.stringContaining(`${body.endpoint_id} http://127.0.0.1:9/hook is disabled: gone`)
    expect(JSON.parse(out).findings).toContainEqual({ check: 'webhooks', verdict: 'failed', said })
    await market.acme.delete(`/webhooks/endpoints/${body.endpoint_id}`)
  })
})

describe('what is used wrongly is one sentence', () => {
  it.each([
    ['no marketplace', [], {}, 2, /^Log in by order-marketplace login, or set MARKETPLACE_URL and MARKETPLACE_TOKEN\.\n$/],
    [
      'a profile that there is not',
      ['--profile', 'nobody'],
      {},
      2,
      /^There is no profile "nobody"\. There is none yet: order-marketplace login --profile nobody makes it\.\n$/,
    ],
    ['a name of every object', ['--profile', 'constructor'], {}, 2, /^There is no profile "constructor"\./],
    [
      'an address that is none',
      ['--url', 'marketplace', '--token', 't'],
      {},
      2,
      /^"marketplace" is not the address of a marketplace, .*\n$/,
    ],
    ['a token with a line break', ['--url', 'http://127.0.0.1:1', '--token', 'a\nb'], {}, 2, /^The token has characters .*\n$/],
    [
      'nobody there',
      [],
      { MARKETPLACE_URL: 'http://127.0.0.1:1', MARKETPLACE_TOKEN: 't' },
      3,
      /^GET \/v1\/credential was not answered \(.+\)\.\n$/,
    ],
    ['an unknown option', ['--nothing'], {}, 2, /^error: unknown option '--nothing'\n/],
  ])('%s', async (_, args, settings, code, err) => {
    const config = join(line.folder, 'elsewhere')
    const ended = await line.run(['whoami', ...args], { XDG_CONFIG_HOME: config, ...settings })
    expect(ended).toEqual({ code, out: '', err: expect.stringMatching(err) })
  })

  it('a profile file that is damaged', async () => {
    await line.run(['login', '--url', origin, '--token', acme.token], { XDG_CONFIG_HOME: join(line.folder, 'damaged') })
    const file = join(line.folder, 'damaged/order-marketplace/profiles.json')
    await writeFile(file, '{"profiles":')
    const ended = await line.run(['whoami'], { XDG_CONFIG_HOME: join(line.folder, 'damaged') })
    expect(ended).toEqual({ code: 2, out: '', err: `${file} is damaged: remove it, and log in again.\n` })
  })

  it('a token of the other side is refused by the service, and --json prints its envelope', async () => {
    const order = await line.file('order.json', market.order())
    const { code, out } = await line.as(cable, 'orders', 'create', '-f', order, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ error_code: 'FORBIDDEN' })
  })
})
