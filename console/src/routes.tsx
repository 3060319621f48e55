import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { DropStatus } from './api/queries/drops.ts'
import type { OrderStatus } from './api/queries/orders.ts'
import type { Period } from './api/queries/sellers.ts'
import type { InvoiceRow, VarianceCode } from './api/queries/settlement.ts'
import type { DeliveryStatus } from './api/queries/webhooks.ts'
import { type FilterSearch, filterSearch } from './order/orderFilter.ts'
import { Home, Missing } from './ui/Home.tsx'
import { Shell } from './ui/Shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: Missing })

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })

/** Signing in happens over any page; this address is for bookmarks and the front page. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    throw redirect({ to: '/' })
  },
})

export interface OpsSearch {
  view?: 'stuck' | 'overdue' | 'open' | 'deliveries' | 'drops' | 'connections'
  reason?: string
  order?: string
  active?: string
}

export const ops = createRoute({
  getParentRoute: () => root,
  path: '/ops',
  validateSearch: ({ view, reason, order, active }: Record<string, unknown>) =>
    ({ ...text('view', view), ...text('reason', reason), ...text('order', order), ...text('active', active) }) as OpsSearch,
  component: lazyRouteComponent(() => import('./screens/ops/Ops.tsx'), 'Ops'),
})

export interface SettlementSearch {
  view?: 'invoices' | 'variances' | 'credit'
  agreement?: string
  /** A broadcast month, `2027-02`. */
  month?: string
  status?: InvoiceRow['status']
  code?: VarianceCode
  active?: string
}

export const settlement = createRoute({
  getParentRoute: () => root,
  path: '/settlement',
  validateSearch: ({ view, agreement, month, status, code, active }: Record<string, unknown>) =>
    ({
      ...{ ...text('view', view), ...text('agreement', agreement), ...text('month', month) },
      ...{ ...text('status', status), ...text('code', code), ...text('active', active) },
    }) as SettlementSearch,
  component: lazyRouteComponent(() => import('./screens/settlement/Settlement.tsx'), 'Settlement'),
})

export const invoice = createRoute({
  getParentRoute: () => root,
  path: '/settlement/invoices/$id',
  component: lazyRouteComponent(() => import('./screens/settlement/InvoiceScreen.tsx'), 'InvoiceScreen'),
})

export interface ReconciliationSearch {
  code?: VarianceCode
  month?: string
  cell?: string
}

export const reconciliation = createRoute({
  getParentRoute: () => root,
  path: '/settlement/orders/$id',
  validateSearch: ({ code, month, cell }: Record<string, unknown>) =>
    ({ ...text('code', code), ...text('month', month), ...text('cell', cell) }) as ReconciliationSearch,
  component: lazyRouteComponent(() => import('./screens/settlement/ReconciliationScreen.tsx'), 'ReconciliationScreen'),
})

export interface QueueSearch extends FilterSearch {
  order?: string
}

export const queue = createRoute({
  getParentRoute: () => root,
  path: '/queue',
  validateSearch: (search: Record<string, unknown>): QueueSearch => ({ ...filterSearch(search), ...text('order', search.order) }),
  component: lazyRouteComponent(() => import('./screens/queue/Queue.tsx'), 'Queue'),
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
  component: lazyRouteComponent(() => import('./screens/orders/Orders.tsx'), 'Orders'),
})

export interface OrderSearch {
  seq?: number
}

export const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id',
  validateSearch: ({ seq }: Record<string, unknown>): OrderSearch => (Number.isInteger(seq) ? { seq: seq as number } : {}),
  component: lazyRouteComponent(() => import('./screens/order/OrderScreen.tsx'), 'OrderScreen'),
})

export const plan = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/plan',
  component: lazyRouteComponent(() => import('./screens/plan/PlanScreen.tsx'), 'PlanScreen'),
})

export const orderDocument = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/document',
  component: lazyRouteComponent(() => import('./screens/document/DocumentScreen.tsx'), 'DocumentScreen'),
})

export const print = createRoute({
  getParentRoute: () => root,
  path: '/orders/$id/print',
  component: lazyRouteComponent(() => import('./screens/print/PrintScreen.tsx'), 'PrintScreen'),
})

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
      ...(Array.isArray(pick) && { pick: pick.map(String) }),
      ...text('from', from),
      ...text('grain', grain),
      ...(Number.isInteger(length) && { length }),
      ...text('offer', offer),
      ...text('agreement', agreement),
    }) as FindSearch,
  component: lazyRouteComponent(() => import('./screens/find/Find.tsx'), 'Find'),
})

export const baskets = createRoute({
  getParentRoute: () => root,
  path: '/basket',
  component: lazyRouteComponent(() => import('./screens/basket/Baskets.tsx'), 'Baskets'),
})

export const basket = createRoute({
  getParentRoute: () => root,
  path: '/basket/$seller',
  component: lazyRouteComponent(() => import('./screens/basket/BasketScreen.tsx'), 'BasketScreen'),
})

export interface EndpointsSearch {
  active?: string
}

export const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: ({ active }: Record<string, unknown>): EndpointsSearch => text('active', active),
  component: lazyRouteComponent(() => import('./screens/webhooks/Webhooks.tsx'), 'Webhooks'),
})

export interface CreativesSearch {
  active?: string
}

export const creatives = createRoute({
  getParentRoute: () => root,
  path: '/creatives',
  validateSearch: ({ active }: Record<string, unknown>): CreativesSearch => text('active', active),
  component: lazyRouteComponent(() => import('./screens/creatives/Creatives.tsx'), 'Creatives'),
})

export interface RelationsSearch {
  show?: 'buyers'
  active?: string
}

export const relations = createRoute({
  getParentRoute: () => root,
  path: '/relations',
  validateSearch: ({ show, active }: Record<string, unknown>): RelationsSearch => ({
    ...(show === 'buyers' && { show }),
    ...text('active', active),
  }),
  component: lazyRouteComponent(() => import('./screens/relations/Relations.tsx'), 'Relations'),
})

export interface ProfileSearch {
  show?: 'audit'
  active?: string
}

export const profile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  validateSearch: ({ show, active }: Record<string, unknown>): ProfileSearch => ({
    ...(show === 'audit' && { show }),
    ...text('active', active),
  }),
  component: lazyRouteComponent(() => import('./screens/profile/Profile.tsx'), 'Profile'),
})

export interface WebhookSearch {
  status?: DeliveryStatus
  delivery?: string
}

export const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$id',
  validateSearch: ({ status, delivery }: Record<string, unknown>) =>
    ({ ...text('status', status), ...text('delivery', delivery) }) as WebhookSearch,
  component: lazyRouteComponent(() => import('./screens/webhooks/Webhook.tsx'), 'Webhook'),
})

const publishHome = createRoute({
  getParentRoute: () => root,
  path: '/publish',
  beforeLoad: () => {
    throw redirect({ to: '/publish/$kind', params: { kind: 'rates' } })
  },
})

export interface PublishSearch {
  /** The card whose rows the draft begins with. */
  from?: string
}

export const publish = createRoute({
  getParentRoute: () => root,
  path: '/publish/$kind',
  validateSearch: ({ from }: Record<string, unknown>): PublishSearch => text('from', from),
  component: lazyRouteComponent(() => import('./screens/publish/Publish.tsx'), 'Publish'),
})

export interface CardsSearch {
  kind?: 'quotes' | undefined
  active?: string
}

export const cards = createRoute({
  getParentRoute: () => root,
  path: '/cards',
  validateSearch: ({ kind, active }: Record<string, unknown>): CardsSearch => ({
    ...(kind === 'quotes' && { kind }),
    ...text('active', active),
  }),
  component: lazyRouteComponent(() => import('./screens/cards/Cards.tsx'), 'Cards'),
})

export interface CardSearch {
  /** The card that it is compared with, if not the one before it. */
  against?: string
  view?: 'prices' | undefined
}

export const card = createRoute({
  getParentRoute: () => root,
  path: '/cards/$commit',
  validateSearch: ({ against, view }: Record<string, unknown>): CardSearch => ({
    ...text('against', against),
    ...(view === 'prices' && { view }),
  }),
  component: lazyRouteComponent(() => import('./screens/cards/Card.tsx'), 'Card'),
})

export interface AvailsSearch {
  q?: string
  by?: 'sellout' | 'count'
  /** The first week that is shown. */
  from?: string
  product?: string
  /** The period that is edited: a week, a day or a month. */
  start?: string
}

export const avails = createRoute({
  getParentRoute: () => root,
  path: '/avails',
  validateSearch: ({ q, by, from, product, start }: Record<string, unknown>): AvailsSearch => ({
    ...text('q', q),
    ...(by === 'count' && { by }),
    ...text('from', from),
    ...text('product', product),
    ...text('start', start),
  }),
  component: lazyRouteComponent(() => import('./screens/avails/Avails.tsx'), 'Avails'),
})

export interface FilesSearch {
  drop?: string
  status?: DropStatus | undefined
}

export const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  validateSearch: ({ drop, status }: Record<string, unknown>) => ({ ...text('drop', drop), ...text('status', status) }) as FilesSearch,
  component: lazyRouteComponent(() => import('./screens/files/Files.tsx'), 'Files'),
})

export const rules = createRoute({
  getParentRoute: () => root,
  path: '/rules',
  component: lazyRouteComponent(() => import('./screens/rules/Rules.tsx'), 'Rules'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    ops,
    settlement,
    invoice,
    reconciliation,
    queue,
    orders,
    order,
    plan,
    orderDocument,
    print,
    find,
    baskets,
    basket,
    webhooks,
    webhook,
    publishHome,
    publish,
    avails,
    files,
    rules,
    creatives,
    relations,
    profile,
    cards,
    card,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function text<Name extends string>(name: Name, value: unknown): { [Key in Name]?: string } {
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as { [Key in Name]?: string }) : {}
}
