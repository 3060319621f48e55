/** The search attributes of the runs in the Temporal UI. */

/** The search attributes of an order's run in the Temporal UI. */
export const ORDER_SEARCH_ATTRIBUTES = {
  OrderStatus: 'Keyword',
  OrderSeller: 'Keyword',
  OrderBuyer: 'Keyword',
  OrderWorkflow: 'Keyword',
  OrderParkedSince: 'Datetime',
  OrderDecideBy: 'Datetime',
  OrderStuckReason: 'Keyword',
  OrderOverdue: 'Bool',
} as const

/** The search attributes of a drop's run. */
export const DROP_SEARCH_ATTRIBUTES = {
  DropSeller: 'Keyword',
  DropStage: 'Keyword',
  DropStuckReason: 'Keyword',
} as const

/** Every search attribute: a server must know their names before the first run. */
export const SEARCH_ATTRIBUTES = { ...ORDER_SEARCH_ATTRIBUTES, ...DROP_SEARCH_ATTRIBUTES } as const
