import { useState } from 'react'
import { neighbor } from './Grid.tsx'

interface Held {
  readonly wanted: string | undefined
  readonly id: string | undefined
  /** Where the row is in the list, or was before it left. */
  readonly place: number
  /** The filter under which the row was in the list. */
  readonly scope: string | undefined
}

export interface Active {
  /** The row that the keys act on; it may have left the list. */
  readonly active: string | undefined
  readonly isListed: boolean
  /** Marks another row. */
  readonly mark: (id: string | undefined) => void
  /** Returns the row `step` rows away, counted from the place of a row that has left the list. */
  readonly step: (by: number) => string | undefined
}

/**
 * Holds the row that the keys act on. Nothing but its user changes it: a new row does not take its place, and when it leaves the list it stays
 * the active one until the user goes on. At first, and after another filter that leaves it out, it is the first row. `scope` names the filter
 * of the list, undefined while the list is being read.
 */
export function useActive(ids: readonly string[], wanted: string | undefined, scope: string | undefined): Active {
  const [last, setLast] = useState<Held>({ wanted: undefined, id: undefined, place: 0, scope: undefined })
  const held = next(last, ids, wanted, scope)
  if (held.wanted !== last.wanted || held.id !== last.id || held.place !== last.place || held.scope !== last.scope) setLast(held)
  const isListed = held.id !== undefined && ids.includes(held.id)
  return {
    active: held.id,
    isListed,
    mark: (id) => setLast({ ...held, id, scope }),
    step: (by) => (isListed ? neighbor(ids, held.id, by) : ids[Math.max(0, Math.min(held.place + Math.min(by, 0), ids.length - 1))]),
  }
}

function next(last: Held, ids: readonly string[], wanted: string | undefined, scope: string | undefined): Held {
  const isNew = wanted !== undefined && wanted !== last.wanted
  const id = isNew ? wanted : last.id
  const place = id === undefined ? -1 : ids.indexOf(id)
  if (place >= 0) return { wanted, id, place, scope: scope ?? last.scope }
  const isFilteredOut = !isNew && scope !== undefined && last.scope !== undefined && scope !== last.scope
  if (id === undefined || isFilteredOut) return { wanted, id: ids[0], place: 0, scope }
  return { wanted, id, place: Math.max(0, last.place), scope: isNew ? scope : (last.scope ?? scope) }
}
