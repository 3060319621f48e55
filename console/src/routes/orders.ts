import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { OrderStatus } from '../api/queries/orders.ts'
import { type FilterSearch, filterSearch } from '../order/orderFilter.ts'
import { oneOf, text, whole } from '../ui/search.ts'
import { root } from './root.ts'

/** Orders of either side: the queue, the order book, and the pages of an order. */

export interface QueueSearch extends FilterSearch {
  order?: string
  /** By deadline if absent. */
  sort?: 'verdict'
  /** The hour of the deadline, as the picture names it. */
  hour?: string
}

export const queue = createRoute({
  getParentRoute: () => root,
  path: '/queue',
  validateSearch: (search: Record<string, unknown>): QueueSearch => ({
    ...filterSearch(search),
    ...text('order', search.order),
    ...oneOf('sort', search.sort, ['verdict']),
    ...text('hour', search.hour),
  }),
  component: lazyRouteComponent(() => import('../screens/queue/Queue.tsx'), 'Queue'),
})

export interface OrdersSearch extends FilterSearch {
  status?: OrderStatus
  waits?: 'buyer' | 'seller' | 'platform'
  active?: string
}

export const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: (search: Record<string, unknown>) =>
    ({
      ...filterSearch(search),
      ...text('status', search.status),
      ...text('waits', search.waits),
      ...text('active', search.active),
    }) as OrdersSearch,
  component: lazyRouteComponent(() => import('../screens/orders/Orders.tsx'), 'Orders'),
})

export interface OrderSearch {
  seq?: number
}

export const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  validateSearch: ({ seq }: Record<string, unknown>): OrderSearch => whole('seq', seq),
  component: lazyRouteComponent(() => import('../screens/order/OrderScreen.tsx'), 'OrderScreen'),
})

export const plan = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/plan',
  component: lazyRouteComponent(() => import('../screens/plan/PlanScreen.tsx'), 'PlanScreen'),
})

export const orderDocument = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/document',
  component: lazyRouteComponent(() => import('../screens/document/DocumentScreen.tsx'), 'DocumentScreen'),
})

export interface MakegoodsSearch {
  active?: string
  /** The line and the date of units that a notice begins with. */
  unit?: string
  date?: string
}

export const makegoods = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/makegoods',
  validateSearch: ({ active, unit, date }: Record<string, unknown>): MakegoodsSearch => ({
    ...text('active', active),
    ...text('unit', unit),
    ...text('date', date),
  }),
  component: lazyRouteComponent(() => import('../screens/makegoods/Makegoods.tsx'), 'Makegoods'),
})

export const print = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/print',
  component: lazyRouteComponent(() => import('../screens/print/PrintScreen.tsx'), 'PrintScreen'),
})
