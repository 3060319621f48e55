import { openWire, type Wire } from './wire.ts'

/** What was given makes no sense; the message is one sentence. Nothing was begun. */
export class UsageFault extends Error {}

/** The tenant that a suite looks at, and the sandbox in which it does. */
export interface Target {
  readonly wire: Wire
  readonly entity: string
  readonly side: 'buyer' | 'seller'
}

/**
 * Opens the sandbox of a token. Errors: UsageFault if it is not of this side or no sandbox, since orders would be real; Unreachable if
 * nothing answers.
 */
export async function openTarget(baseUrl: string, token: string, side: Target['side']): Promise<Target> {
  const wire = openWire(baseUrl, token)
  const { status, headers, body } = await wire.get('/credential')
  if (status !== 200) throw new UsageFault(`${wire.baseUrl} does not take the token: ${body.error_code ?? status}.`)
  if (headers.get('x-sandbox') !== 'true') throw new UsageFault(`${wire.baseUrl} is no sandbox: orders there would be real.`)
  if (body.side !== side) throw new UsageFault(`conform ${side} needs a token of a ${side}; this one is of ${body.entity}, a ${body.side}.`)
  return { wire, entity: body.entity, side }
}

/** Fails with UsageFault if a marketplace that is declared to be production answers what sandboxes alone have. */
export async function refuseSandboxInProduction(productionUrl: string): Promise<void> {
  const { baseUrl, post } = openWire(productionUrl, 'none')
  const { status, headers } = await post('/sandbox/tenants', { side: 'buyer' })
  if (status === 404 && headers.get('x-sandbox') === null) return
  throw new UsageFault(
    `${baseUrl} is declared as production and answers ${status} to POST /sandbox/tenants: a sandbox must never be where orders are real.`,
  )
}

/** Makes a tenant of this side that nobody knows, which ends by itself. */
export async function freshTenant(wire: Wire, side: Target['side'], name: string): Promise<{ tenant: string; wire: Wire }> {
  const { status, body } = await wire.post('/sandbox/tenants', { side, name })
  if (status !== 201) throw new UsageFault(`The sandbox makes no ${side}: ${body.error_message ?? status}`)
  return { tenant: body.tenant, wire: openWire(wire.baseUrl, body.token) }
}
