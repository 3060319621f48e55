import { randomBytes } from 'node:crypto'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { startEngines } from '../engines.ts'
import { startNode } from '../program.ts'
import { createDatabase } from '../stage.ts'
import { runCommand } from './command.ts'
import { type Door, openDoor } from './door.ts'
import { homeOf, install, QUIET } from './install.ts'
import type { Closing, Peer, Running, Say } from './peer.ts'

const BATCH = 32
const NPM = { folder: 'medusa', main: '@medusajs/medusa', files: ['app.mjs', 'medusa-config.js'] }

export const medusa: Peer = {
  name: 'Medusa',
  work: 'POST a draft order of two priced variants; it is converted to an order, the approval; it is completed',
  leavesOut:
    'waiting for a second party by a durable workflow, deadlines, feed and replay of events, inventory, payment; its workflows run in memory',
  atOnce: BATCH,
  fetch: (say) => install(NPM, say),
  start,
}

async function start(closing: Closing, say: Say): Promise<Running> {
  const engines = await startEngines(say)
  closing.push(() => engines.stop())
  const cwd = await homeOf(NPM)
  const port = String(await freePort())
  const secret = randomBytes(16).toString('hex')
  const settings = { SECRET: secret, DATABASE_URL: await createDatabase(engines.postgres.url), NODE_ENV: 'production' }
  const env = { ...QUIET, ...settings, PORT: port, LOG_LEVEL: 'error' }
  const medusaSays = (...args: string[]) =>
    runCommand(process.execPath, ['node_modules/.bin/medusa', ...args], { cwd, env: { ...process.env, ...env } })
  say('  making its tables ...')
  await medusaSays('db:migrate', '--execute-safe-links')
  await medusaSays('user', '--email', EMAIL, '--password', secret)
  say('  starting ...')
  const app = await startNode('Medusa', ['app.mjs'], env, cwd)
  closing.push(() => app.stop())
  const baseUrl = `http://127.0.0.1:${port}`
  const token = await signIn(baseUrl, secret)
  const door = openDoor(baseUrl, token, BATCH)
  closing.push(() => door.close())
  const order = await openShop(door)
  return {
    processes: { app: app.pid, postgres: engines.postgres.pid },
    intake: { baseUrl, token, path: '/admin/draft-orders', body: () => order, status: 200 },
    walk: async () => {
      const { draft_order } = await door.send<{ draft_order: { id: string } }>('POST', '/admin/draft-orders', order)
      await door.send('POST', `/admin/draft-orders/${draft_order.id}/convert-to-order`, '{}')
      await door.send('POST', `/admin/orders/${draft_order.id}/complete`, '{}')
    },
    settle: async () => undefined, // each answer comes when the work is done
  }
}

const EMAIL = 'traffic@example.com'

async function signIn(baseUrl: string, password: string): Promise<string> {
  const door = openDoor(baseUrl, 'none', 1)
  const { token } = await door.send<{ token: string }>('POST', '/auth/user/emailpass', JSON.stringify({ email: EMAIL, password }))
  await door.close()
  return token
}

const WEEKS = ['2030-W01', '2030-W02']

/** One product, whose weeks are variants with a price. Returns the bytes of an order of two lines. */
async function openShop(door: Door): Promise<string> {
  const post = <Answer>(path: string, body: object) => door.send<Answer>('POST', path, JSON.stringify(body))
  const { sales_channels } = await door.send<{ sales_channels: { id: string }[] }>('GET', '/admin/sales-channels')
  const channel = sales_channels[0]?.id
  const { region } = await post<{ region: { id: string } }>('/admin/regions', { name: 'US', currency_code: 'usd', countries: ['us'] })
  // Orders that come together would each make the customer of their address.
  const { customer } = await post<{ customer: { id: string } }>('/admin/customers', { email: 'buyer@example.com' })
  const variants = WEEKS.map((week) => ({
    title: week,
    sku: week,
    manage_inventory: false,
    options: { week },
    prices: [{ amount: 1_250.5, currency_code: 'usd' }],
  }))
  const { product } = await post<{ product: { variants: { id: string }[] } }>('/admin/products', {
    title: 'Prime Access',
    status: 'published',
    options: [{ title: 'week', values: WEEKS }],
    variants,
    sales_channels: [{ id: channel }],
  })
  const items = product.variants.map(({ id }, index) => ({ variant_id: id, quantity: 5 + index }))
  return JSON.stringify({ region_id: region.id, sales_channel_id: channel, customer_id: customer.id, items })
}
