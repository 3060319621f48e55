import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { MakegoodStatus } from '../api/queries/makegoods.ts'
import type { InvoiceRow, VarianceCode } from '../api/queries/settlement.ts'
import { oneOf, text } from '../ui/search.ts'
import { root } from './root.ts'

/** Invoices, and how they differ from what aired. */

const VIEWS = ['invoices', 'variances', 'makegoods', 'credit'] as const

export interface SettlementSearch {
  view?: (typeof VIEWS)[number]
  agreement?: string
  /** A broadcast month, `2027-02`. */
  month?: string
  status?: InvoiceRow['status']
  makegood?: MakegoodStatus
  code?: VarianceCode
  active?: string
}

export const settlement = createRoute({
  getParentRoute: () => root,
  path: '/settlement',
  validateSearch: ({ view, agreement, month, status, makegood, code, active }: Record<string, unknown>) =>
    ({
      ...{ ...oneOf('view', view, VIEWS), ...text('agreement', agreement), ...text('month', month) },
      ...{ ...text('status', status), ...text('makegood', makegood), ...text('code', code), ...text('active', active) },
    }) as SettlementSearch,
  component: lazyRouteComponent(() => import('../screens/settlement/Settlement.tsx'), 'Settlement'),
})

export const invoice = createRoute({
  getParentRoute: () => root,
  path: '/settlement/invoices/$id',
  component: lazyRouteComponent(() => import('../screens/settlement/InvoiceScreen.tsx'), 'InvoiceScreen'),
})

export interface ReconciliationSearch {
  code?: VarianceCode
  month?: string
  /** The week that the picture has narrowed the grid to. */
  week?: string
  cell?: string
}

export const reconciliation = createRoute({
  getParentRoute: () => root,
  path: '/settlement/orders/$id',
  validateSearch: ({ code, month, week, cell }: Record<string, unknown>) =>
    ({ ...text('code', code), ...text('month', month), ...text('week', week), ...text('cell', cell) }) as ReconciliationSearch,
  component: lazyRouteComponent(() => import('../screens/settlement/ReconciliationScreen.tsx'), 'ReconciliationScreen'),
})
