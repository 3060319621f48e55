import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { signatureHeaders } from '../../src/adapters/http/requestSignature.ts'
import { temporaryFolder } from '../support/files/temporaryFolder.ts'
import { useMarket } from '../support/useMarket.ts'
import { hasPython, run } from './generators.ts'
import { PAGE, pythonPackage } from './pythonPackage.ts'
import { PYTHON_CLIENT } from './pythonTools.ts'

if (!hasPython) process.stdout.write('There is no python3 with venv: the Python client is not tested.\n')

;(hasPython ? describe : describe.skip)('the Python client', () => {
  const market = useMarket()

  it('is what docs/openapi.json makes, installs from its wheel, has strict types, and passes its tests against a marketplace', async () => {
    const { python, tests } = await pythonPackage()
    const folder = await temporaryFolder()
    const validating = validateOrders()
    try {
      const pytest = ['-m', 'pytest', tests, '-p', 'no:cacheprovider', `--basetemp=${join(folder.path, 'pytest')}`]
      const { stdout } = await run(python, pytest, folder.path, await environment()).catch((failed: { stdout: string; stderr: string }) => {
        throw new Error(`${failed.stdout}${failed.stderr}`)
      })
      expect(stdout).toMatch(/\n\d+ passed in /)
    } finally {
      await validating.stop()
      await folder.remove()
    }
  }, 600_000)

  async function environment(): Promise<NodeJS.ProcessEnv> {
    return {
      PATH: process.env.PATH,
      MARKETPLACE_URL: market.baseUrl,
      MARKETPLACE_TOKEN: market.acme.token,
      MARKETPLACE_SELLER_TOKEN: market.cable.token,
      MARKETPLACE_SELLER: 'cable',
      MARKETPLACE_SIGNED_WEBHOOK: JSON.stringify(await signedWebhook()),
      MARKETPLACE_README: join(PYTHON_CLIENT, 'README.md'),
      MARKETPLACE_PAGE: PAGE,
    }
  }

  /** An event as a webhook has it; while two secrets are valid; one of a type that this release does not have; and a test. */
  async function signedWebhook() {
    const [event = {}] = await market.events(await market.created())
    const [body, secret, timestamp] = [JSON.stringify(event), newSecret('a'), Math.floor(Date.now() / 1_000)]
    const signed = (text: string, secrets: string[]) =>
      signatureHeaders({ id: `${event.order_id}:${event.seq}`, body: text, timestamp, secrets })
    const other = (more: object) => {
      const text = JSON.stringify({ event_id: 'evt_1', occurred_at: event.occurred_at, ...more })
      return { body: text, headers: signed(text, [secret]) }
    }
    return {
      body,
      secret,
      timestamp,
      headers: signed(body, [secret]),
      rotated: signed(body, [newSecret('b'), secret]),
      unknown: other({ event_type: 'catalog.renamed' }),
      ping: other({ event_type: 'webhook.test', data: { endpoint_id: 'whe_1' } }),
    }
  }

  /** Does what the order's workflow does first, since no worker runs here: validates what was created. */
  function validateOrders() {
    let stopped = false
    const validated = (async () => {
      while (!stopped) {
        const { rows } = await market.owner().query<{ order_id: string }>("select order_id from orders where status = 'submitted'")
        for (const { order_id } of rows) await market.validate(order_id)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })()
    return {
      stop: () => {
        stopped = true
        return validated
      },
    }
  }
})

const newSecret = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
