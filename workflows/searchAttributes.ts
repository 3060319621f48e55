import type { SearchAttributePair, SearchAttributeUpdatePair } from '@temporalio/common'
import type { SEARCH_ATTRIBUTES } from '../src/contract/vocabulary/searchAttributes.ts'
import type { OrderHead } from '../src/domain/order/head.ts'

type Known = typeof SEARCH_ATTRIBUTES
/** Makes the compiler check the keys against the one list of names and types. */
type Keys = { [Name in keyof Known]: { name: Name; type: Uppercase<Known[Name]> } }

/** An order's attributes in the Temporal UI. They are never encrypted, so they hold only ids and words of the contract, no prices or names. */
export const ORDER_ATTRIBUTES = {
  OrderStatus: { name: 'OrderStatus', type: 'KEYWORD' },
  OrderSeller: { name: 'OrderSeller', type: 'KEYWORD' },
  OrderBuyer: { name: 'OrderBuyer', type: 'KEYWORD' },
  OrderWorkflow: { name: 'OrderWorkflow', type: 'KEYWORD' },
  OrderParkedSince: { name: 'OrderParkedSince', type: 'DATETIME' },
  OrderDecideBy: { name: 'OrderDecideBy', type: 'DATETIME' },
  OrderStuckReason: { name: 'OrderStuckReason', type: 'KEYWORD' },
  OrderOverdue: { name: 'OrderOverdue', type: 'BOOL' },
} as const satisfies Partial<Keys>

/** The attributes of a drop's run, under the same rule. */
export const DROP_ATTRIBUTES = {
  DropSeller: { name: 'DropSeller', type: 'KEYWORD' },
  DropStage: { name: 'DropStage', type: 'KEYWORD' },
  DropStuckReason: { name: 'DropStuckReason', type: 'KEYWORD' },
} as const satisfies Partial<Keys>

/** All attributes; the namespace must know each of them. */
export const ATTRIBUTES: Keys = { ...ORDER_ATTRIBUTES, ...DROP_ATTRIBUTES }

/** Returns the attributes that follow from an order's state. A null value removes the attribute. */
export function attributesOf(order: OrderHead): SearchAttributeUpdatePair[] {
  return [
    { key: ORDER_ATTRIBUTES.OrderStatus, value: order.status },
    ...lastingAttributesOf(order),
    { key: ORDER_ATTRIBUTES.OrderParkedSince, value: order.parked_since === null ? null : new Date(order.parked_since) },
    { key: ORDER_ATTRIBUTES.OrderDecideBy, value: order.decide_by === null ? null : new Date(order.decide_by) },
  ]
}

/** Returns those that never change, with which a run is started. The run itself shows the others, once it has read the log. */
export function lastingAttributesOf({ seller, buyer_entity, workflow }: OrderHead): SearchAttributePair[] {
  return [
    { key: ORDER_ATTRIBUTES.OrderSeller, value: seller },
    { key: ORDER_ATTRIBUTES.OrderBuyer, value: buyer_entity },
    { key: ORDER_ATTRIBUTES.OrderWorkflow, value: workflow },
  ]
}
