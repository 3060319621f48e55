import { Text } from '@mantine/core'
import type { Order, OrderEvent } from '../../api/queries/orders.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Why the order failed, in the words of the API with its code. */
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
