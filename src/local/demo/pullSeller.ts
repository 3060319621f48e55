import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../config/root.ts'
import type { Operations } from '../../sdk/ownClient.ts'
import { DemoFault } from './demoFault.ts'
import { line } from './story.ts'

const SERVER = join(ROOT, 'docs/examples/pull-seller/server.mjs')

/** Runs the example of a seller's own API until the demo ends, and declares it in the seller's profile. */
export async function connectPullSeller(seller: string, asSeller: Operations): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const base_url = await startServer(secret)
  await asSeller.putSecret({ path: { name: 'pull' }, body: { value: secret } })
  const transports = { pull: { base_url, secret_ref: 'pull' } }
  const { body } = await asSeller.putCapabilities({ body: { transports, approval: 'pull', realtime_availability: true, holds: true } })
  line()
  line(`${seller} runs docs/examples/pull-seller/server.mjs at ${base_url}: PUT /v1/me/secrets/pull, PUT /v1/me/capabilities`)
  line(`   approval pull, live availability, holds: level ${body.conformance_level}`)
}

async function startServer(secret: string): Promise<string> {
  const child = spawn(process.execPath, [SERVER], { env: { SECRET: secret, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([
    new Promise<string>((resolve) => lines.once('line', resolve)),
    new Promise<string>((resolve) => child.once('exit', () => resolve(''))),
  ])
  if (!first.startsWith('listening ')) throw new DemoFault(`${SERVER} did not start.`)
  lines.on('line', (text) => line(`   the seller's API: ${text}`))
  return first.slice('listening '.length)
}

/** Waits until the order has left seller_review. */
export async function untilDecided(orderId: string, asBuyer: Operations, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    const { body } = await asBuyer.getOrder({ path: { order_id: orderId } })
    if (body.status !== 'seller_review') return line(`GET /v1/orders/${orderId}   ${body.status}`)
    await sleep(POLL_MS, undefined, { signal })
  }
  throw new DemoFault(`The seller's API has not decided within ${PATIENCE_MS / 1_000} s; the Temporal UI says what it answered.`)
}

const PATIENCE_MS = 120_000
const POLL_MS = 500
