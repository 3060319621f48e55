import type { Deps } from '../http/handler.ts'

/** The number of tenants in the cache, whose entries are small. */
const REMEMBERED = 1_000
const remembered = new WeakMap<Deps, Map<string, Deps>>()

/** Limits a handler's dependencies to its caller's rows; the database hides all others from every statement (choices, Tenancy). */
export function scopedTo(deps: Deps, entity: string): Deps {
  const known = remembered.get(deps) ?? new Map<string, Deps>()
  remembered.set(deps, known)
  const hit = known.get(entity)
  if (hit !== undefined) return hit
  if (known.size >= REMEMBERED) known.clear()
  const own = { ...deps, db: deps.db.as([entity]), orders: deps.orders.as([entity]) }
  known.set(entity, own)
  return own
}
