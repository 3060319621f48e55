import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'express'
import { SIMULATED, SLOWEST_S } from '../../../src/contract/vocabulary/sandbox.ts'
import { overLimit } from '../../../src/domain/overLimit.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import type { Deps } from '../../http/handler.ts'
import { isSandbox } from './mode.ts'

const HEADER = 'Sandbox-Simulate'

/**
 * Does the fault that a request of a sandbox asks for by Sandbox-Simulate (choices, Sandbox: faults on demand), before anything else is done: refuses
 * with 503 or 429, or waits. Returns true for `cut`: the request is to be carried out, and its connection closed without a reply. Errors: Refusal
 * INVALID_INPUT for any other value. In production the header means nothing.
 */
export async function simulatedFault(deps: Pick<Deps, 'mode'>, { headers }: Pick<Request, 'headers'>): Promise<boolean> {
  const asked = headers[HEADER.toLowerCase()]
  if (asked === undefined || !isSandbox(deps)) return false
  switch (asked) {
    case '503':
      throw new Refusal('UNAVAILABLE', `${HEADER} asked for this answer; nothing was done.`)
    case '429':
      throw overLimit({ limit: 'simulated' }, `${HEADER} asked for this answer; nothing was done.`, 1)
    case 'cut':
      return true
  }
  const [, seconds] = /^slow=(\d{1,2})s$/.exec(String(asked)) ?? []
  if (seconds === undefined || Number(seconds) > SLOWEST_S) {
    const possible = [...SIMULATED, `slow=5s, up to ${SLOWEST_S}`]
    throw new Refusal('INVALID_INPUT', `${HEADER} must be one of ${possible.join('; ')}.`, { field: HEADER, possible })
  }
  await sleep(Number(seconds) * 1_000)
  return false
}
