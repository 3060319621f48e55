import { useState } from 'react'

/**
 * Returns the row that the keys act on, and a function that marks another one. The row stays active while it is in the list, so that a new
 * row never takes its place unread. When it leaves the list, the row now in its position becomes active; at first it is the first row.
 */
export function useActive(
  ids: readonly string[],
  wanted: string | undefined,
): readonly [string | undefined, (id: string | undefined) => void] {
  const [last, setLast] = useState({ wanted, id: wanted, place: 0 })
  const kept = last.wanted === wanted ? last.id : wanted
  const id = [kept, wanted].find((one) => one !== undefined && ids.includes(one)) ?? ids[Math.min(last.place, ids.length - 1)]
  const place = id === undefined ? 0 : ids.indexOf(id)
  if (last.wanted !== wanted || last.id !== id || last.place !== place) setLast({ wanted, id, place })
  return [id, (next) => setLast((before) => ({ ...before, id: next }))]
}
