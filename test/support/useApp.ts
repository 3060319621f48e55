import { startApp, type TestApp } from './http/app.ts'
import { type Used, used } from './useMarket.ts'

/** Provides the API over an empty database; `useMarket` provides it over one in which sellers have published. */
export function useApp(options: Parameters<typeof startApp>[0] = {}): TestApp & Used {
  return used(() => startApp(options))
}
