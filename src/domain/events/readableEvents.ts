import type { Scope } from '../../contract/vocabulary/access.ts'
import { EVENT_TYPES, type EventType } from '../../contract/vocabulary.ts'
import { Refusal } from '../refusal.ts'

/** Returns the event types that a credential may read, on the feed, by webhook and from a queue. */
export function readableEvents(scopes: ReadonlySet<Scope>): EventType[] {
  return EVENT_TYPES.filter((type) => scopes.has(scopeToRead(type)))
}

export function mayNotRead(type: EventType): Refusal {
  const required_scope = scopeToRead(type)
  return new Refusal('FORBIDDEN', `The credential lacks the scope ${required_scope}, which ${type} requires.`, {
    field: 'events',
    required_scope,
  })
}

function scopeToRead(type: EventType): Scope {
  const [about] = type.split('.') as ['order' | 'catalog' | 'settlement']
  return SCOPE_TO_READ[about]
}

const SCOPE_TO_READ = { order: 'orders:read', catalog: 'catalog:read', settlement: 'settlement:read' } as const satisfies Record<
  string,
  Scope
>
