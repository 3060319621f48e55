import { describe, expect, it } from '@jest/globals'
import { AS_BUYER } from '../../src/commandLine/trigger/asBuyer.ts'
import { COMMAND_LINE } from '../support/commandLine.ts'
import { runProgram } from '../support/runProgram.ts'
import type { UsedProduct } from './useProduct.ts'

/** The tests of `order-marketplace trigger` against a running sandbox, which plays the other side. */
export function triggers(product: UsedProduct): void {
  const trigger = async (token: string | undefined, what: string) => {
    const settings = { MARKETPLACE_URL: product.baseUrl, MARKETPLACE_TOKEN: token }
    const { code, out, err } = await runProgram(COMMAND_LINE, ['trigger', what, '--json'], settings)
    if (code !== 0) throw new Error(`${what}: ${err}${out}`)
    return JSON.parse(out).events.at(-1) as { status: string; substatus: string | null }
  }

  describe('order-marketplace trigger', () => {
    it('makes every status of an order happen for a buyer', async () => {
      const token = product.credentials.buyers['harbor-and-vale']?.token
      const all = Object.entries(AS_BUYER)
      const made = await Promise.all(all.map(async ([what]) => [what, (await trigger(token, what)).status]))
      expect(Object.fromEntries(made)).toEqual(Object.fromEntries(all.map(([what, { status }]) => [what, status])))
    }, 150_000)

    it('makes an order wait for a seller, and decides it', async () => {
      const token = product.credentials.sellers['ktvl-10']?.token
      const made = [await trigger(token, 'seller_review'), await trigger(token, 'placed'), await trigger(token, 'rejected')]
      expect(made.map(({ status }) => status)).toEqual(['seller_review', 'placed', 'rejected'])
    }, 150_000)
  })
}
