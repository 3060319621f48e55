import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, text } from '../ui/search.ts'
import { root } from './root.ts'

/** The operators' screens. */

const VIEWS = ['stuck', 'overdue', 'open', 'deliveries', 'drops', 'mails', 'failed-mails', 'connections'] as const

export interface OpsSearch {
  view?: (typeof VIEWS)[number]
  reason?: string
  order?: string
  active?: string
}

export const ops = createRoute({
  getParentRoute: () => root,
  path: '/ops',
  validateSearch: ({ view, reason, order, active }: Record<string, unknown>): OpsSearch => ({
    ...oneOf('view', view, VIEWS),
    ...{ ...text('reason', reason), ...text('order', order), ...text('active', active) },
  }),
  component: lazyRouteComponent(() => import('../screens/ops/Ops.tsx'), 'Ops'),
})

export const opsOrder = createRoute({
  getParentRoute: () => root,
  path: '/ops/orders/$id',
  component: lazyRouteComponent(() => import('../screens/ops/OpsOrder.tsx'), 'OpsOrderPage'),
})
