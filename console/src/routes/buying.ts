import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { Period } from '../api/queries/sellers.ts'
import { text, whole } from '../ui/search.ts'
import { root } from './root.ts'

/** A buyer's search, order drafts and creatives. */

export interface FindSearch {
  seller?: string
  /** The compared products, as `seller/product`. */
  pick?: string[]
  from?: string
  grain?: Period['grain']
  length?: number
  offer?: string
  agreement?: string
}

export const find = createRoute({
  getParentRoute: () => root,
  path: '/find',
  validateSearch: ({ seller, pick, from, grain, length, offer, agreement }: Record<string, unknown>) =>
    ({
      ...text('seller', seller),
      pick: Array.isArray(pick) ? pick.map(String) : undefined,
      ...text('from', from),
      ...text('grain', grain),
      ...whole('length', length),
      ...text('offer', offer),
      ...text('agreement', agreement),
    }) as FindSearch,
  component: lazyRouteComponent(() => import('../screens/find/Find.tsx'), 'Find'),
})

export const baskets = createRoute({
  getParentRoute: () => root,
  path: '/basket',
  component: lazyRouteComponent(() => import('../screens/basket/Baskets.tsx'), 'Baskets'),
})

export const basket = createRoute({
  getParentRoute: () => root,
  path: '/basket/$seller',
  component: lazyRouteComponent(() => import('../screens/basket/BasketScreen.tsx'), 'BasketScreen'),
})

export interface CreativesSearch {
  active?: string
}

export const creatives = createRoute({
  getParentRoute: () => root,
  path: '/creatives',
  validateSearch: ({ active }: Record<string, unknown>): CreativesSearch => text('active', active),
  component: lazyRouteComponent(() => import('../screens/creatives/Creatives.tsx'), 'Creatives'),
})
