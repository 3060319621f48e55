import { useState } from 'react'

/**
 * The row that keys act on, and what marks another: it stays the same while it is in the list, so that none that comes before it takes its place unread.
 * When it leaves the list, the one that took its place is next; without any it is the first.
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
