import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root, text } from './root.ts'

/** What operators see. */

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
  component: lazyRouteComponent(() => import('../screens/ops/Ops.tsx'), 'Ops'),
})
