import { Text } from '@mantine/core'
import type { Order, OrderEvent } from '../../api/queries/orders.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Shows the API's message and code for why the order failed. */
export function Failure({ order }: { order: Order }) {
  if (order.error === undefined) return null
  const { error_code, error_message } = order.error as NonNullable<OrderEvent['error']>
  return (
    <Notice tone="bad" role="status" title="The order failed">
      <Text size="sm">{error_message}</Text>
      <Text size="xs" c="dimmed">
        {error_code}
      </Text>
    </Notice>
  )
}
