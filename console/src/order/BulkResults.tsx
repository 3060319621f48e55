import { Modal, Table, Text } from '@mantine/core'
import { Fault } from '../api/fault.ts'
import { countText, Money } from '../ui/Money.tsx'
import { Status } from '../ui/Status.tsx'
import classes from './OutboxBar.module.css'
import type { Outcome, Sending } from './outbox.ts'

/** Shows a result for each of the orders that were decided together, since some may have changed. */
export function BulkResults({ sending: { commands, outcomes, state }, onClose }: { sending: Sending; onClose: () => void }) {
  const isReject = commands[0]?.body.decision === 'reject'
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={isReject ? 'Rejection of selected orders' : 'Approval of selected orders'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text role="status" size="sm" mb="xs">
        {countSent(outcomes)} of {countText(commands.length, 'order')} {isReject ? 'rejected' : 'approved'}
        {state === 'done' ? '' : ' so far'}
      </Text>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Order</Table.Th>
            <Table.Th>Gross</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {commands.map(({ order }) => (
            <Table.Tr key={order.order_id}>
              <Table.Td>{order.external_order_id}</Table.Td>
              <Table.Td>
                <Money amount={order.totals.gross} currency={order.totals.currency} />
              </Table.Td>
              <Table.Td>
                <Result outcome={outcomes.get(order.order_id)} as={isReject ? 'rejected' : 'placed'} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}

export function countSent(outcomes: Sending['outcomes']): number {
  return [...outcomes.values()].filter(({ state }) => state === 'sent').length
}

function Result({ outcome, as }: { outcome: Outcome | undefined; as: 'rejected' | 'placed' }) {
  if (outcome?.state === 'sent') return <Status of={as} />
  if (outcome?.state !== 'refused') return 'Sending'
  return <span className={classes.refused}>{outcome.error instanceof Fault ? outcome.error.message : String(outcome.error)}</span>
}
