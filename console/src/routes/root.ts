import { createRootRoute } from '@tanstack/react-router'
import { Missing } from '../ui/Home.tsx'
import { Shell } from '../ui/Shell.tsx'

/** What every screen is within. */
export const root = createRootRoute({ component: Shell, notFoundComponent: Missing })

/** A member of an address, if it is a text. One of digits alone is read as a number. */
export function text<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  if (typeof value === 'number') return text(name, String(value))
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as { [Key in Name]?: string }) : {}
}

/** A member of an address, if it is one of those that are known. Another is overridden: the router keeps what a route does not name. */
export function oneOf<Name extends string, Value extends string>(
  name: Name,
  value: unknown,
  known: readonly Value[],
): { [Key in Name]?: Value } {
  return { [name]: known.find((one) => one === value) } as { [Key in Name]?: Value }
}
