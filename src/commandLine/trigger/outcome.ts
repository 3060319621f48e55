import type { Client, Order } from '../../../client/src/index.ts'

/** How a status of an order is made to happen. */
export interface Outcome {
  readonly about: string
  readonly status: string
  readonly substatus?: string
  /** Places the order, and returns its id. */
  begin(client: Client): Promise<string>
  /** Does what the order needs next, if it is its turn; returns whether it did. */
  step?(client: Client, order: Order): Promise<boolean>
}
