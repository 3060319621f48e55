import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type Product, type StartProduct, startProduct } from './product.ts'

export interface UsedProduct extends Product {
  readonly port: number
  /** Starts the product again over the same data and on the same port, with the same settings unless others are given. */
  startAgain(settings?: Settings): Promise<void>
  /** Returns the output of all its starts. */
  everSaid(): string
}

type Settings = Pick<StartProduct, 'by' | 'env'>

/**
 * Provides a product for the tests of a file or a describe: starts it before the first with an empty data directory, and stops it and
 * deletes its data after the last. Nothing of it can be read before it has started.
 */
export function useProduct(settings: Settings = {}): UsedProduct {
  const product = {} as UsedProduct & { port: number }
  let home: string | undefined
  const before: string[] = []
  const start = async ({ by, env }: Settings) => {
    const dataDir = join(home ?? '', '.data')
    Object.assign(product, await startProduct({ dataDir, port: product.port, ...(by && { by }), ...(env && { env }) }))
  }
  product.startAgain = (more = settings) => {
    before.push(product.said())
    return start(more)
  }
  product.everSaid = () => [...before, product.said()].join('')
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'marketplace-e2e-'))
    product.port = await freePort()
    await start(settings)
  }, 150_000)
  afterAll(async () => {
    if (Object.hasOwn(product, 'stop')) await product.stop()
    if (home !== undefined) await rm(home, { recursive: true, force: true })
  }, 60_000)
  return product
}
