import { Refusal } from '../../src/domain/refusal.ts'
import { isSandbox } from '../endpoints/sandbox/mode.ts'
import type { Deps } from './handler.ts'

/** `as_of` is a hook of the sandbox (choices, as_of); elsewhere only the clock counts. */
export function refuseAsOf(deps: Pick<Deps, 'mode'>, { as_of }: { as_of?: string | undefined }): void {
  if (as_of !== undefined && !isSandbox(deps)) {
    throw new Refusal('INVALID_INPUT', 'as_of is honoured in the sandbox only.', { field: 'as_of' })
  }
}
