import { startApp, type TestApp } from './http/app.ts'
import { type Used, used } from './useMarket.ts'

/** The API over an empty database, as `useMarket` has it over one in which sellers have published. */
export function useApp(options: Parameters<typeof startApp>[0] = {}): TestApp & Used {
  return used(() => startApp(options))
}
