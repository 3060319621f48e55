import { useCallback } from 'react'
import { useSession } from '../api/session.ts'
import { useDrafts } from '../ui/drafts.ts'
import type { Basket } from './basket.ts'

/** Returns this buyer's baskets by seller, a function that replaces one, and a function that updates the latest state of one. */
export function useBaskets(): readonly [
  Readonly<Record<string, Basket>>,
  (seller: string, next: Basket | undefined) => void,
  (seller: string, change: (basket: Basket) => Basket) => void,
] {
  const { entity, side } = useSession()
  const [baskets, set, update] = useDrafts<Basket>(`${side}:${entity}`, 'basket:')
  const put = useCallback(
    (seller: string, next: Basket | undefined) => set(seller, next === undefined || isEmpty(next) ? undefined : next),
    [set],
  )
  return [baskets, put, update]
}

/** An empty basket is deleted. */
function isEmpty({ lines, attachments, advertiser, campaign, estimate }: Basket): boolean {
  return lines.length === 0 && attachments.length === 0 && [advertiser, campaign, estimate].every((text) => text === '')
}
