import type { Deps } from '../../http/handler.ts'

/** Whether this is a sandbox: the one place that decides it (choices, Sandbox). */
export function isSandbox({ mode }: Pick<Deps, 'mode'>): boolean {
  return mode === 'sandbox'
}

/** Returns the headers that every reply carries: of a sandbox, that it is one. */
export function markOf(deps: Pick<Deps, 'mode'>): Readonly<Record<string, string>> {
  return isSandbox(deps) ? { 'X-Sandbox': 'true' } : {}
}
