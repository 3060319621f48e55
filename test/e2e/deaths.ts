import { setTimeout as sleep } from 'node:timers/promises'
import { openMarket } from './market.ts'
import { persistentClient } from './persistentClient.ts'
import type { Part, Product } from './product.ts'
import { type Parties, startTraffic, type Traffic } from './traffic.ts'

/** These tests load the product, so no limit may refuse them. The lines that report the return of a part have the level `info`. */
export const UNDER_LOAD = { RATE_LIMITS: 'off', LOG_LEVEL: 'info' } as const

/** Opens the tenants of the sandbox on one market, all of them well-behaved clients. */
export async function openParties({
  dataDir,
  baseUrl,
  credentials,
}: Pick<Product, 'dataDir' | 'baseUrl' | 'credentials'>): Promise<Parties> {
  const buyers = Object.fromEntries(
    Object.entries(credentials.buyers).map(([name, it]) => [name, persistentClient(baseUrl, it?.token ?? '')]),
  )
  const [asBuyer] = Object.values(buyers)
  const seller = persistentClient(baseUrl, credentials.sellers.summit?.token ?? '')
  if (asBuyer === undefined) throw new Error('the sandbox has no buyer')
  return { dataDir, market: await openMarket('summit', seller, asBuyer), seller, buyers }
}

export interface Deaths {
  parts: readonly Part[]
  /** Prefixes the orders of these rounds. */
  name: string
  onProgress?: (text: string) => void
}

/**
 * Kills one part at a time under load, at random moments. Then, once everything is back, lets the clients finish the work that they
 * have begun.
 */
export async function killUnderLoad(product: Product, parties: Parties, { parts, name, onProgress }: Deaths): Promise<Traffic> {
  const traffic = startTraffic(parties, { name })
  for (const part of parts) {
    await sleep(300 + Math.random() * 1_200)
    const killed = await product.signal(part)
    const since = Date.now()
    await product.recovered()
    onProgress?.(`${part} ${killed ? 'was killed' : 'was not there'}; the API is ready after ${Date.now() - since} ms`)
  }
  await sleep(500)
  const since = Date.now()
  await product.workerBack()
  onProgress?.(`the worker is running after another ${Date.now() - since} ms`)
  await traffic.finish()
  return traffic
}
