import { DemoFault } from './demoFault.ts'

/** The token of a tenant of the sandbox. */
export function tokenOf(tenants: Record<string, { token: string }>, name: string): string {
  const token = tenants[name]?.token
  if (token === undefined) throw new DemoFault(`credentials.json has no token for ${name}; delete the data directory to start afresh.`)
  return token
}
