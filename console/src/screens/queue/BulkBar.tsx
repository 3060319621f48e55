import { Button, Modal, Table, Text } from '@mantine/core'
import { useDownSince } from '../../api/health.ts'
import type { OrderRow } from '../../api/queries/orders.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { countText, Money } from '../../ui/Money.tsx'
import { Status } from '../../ui/Status.tsx'
import type { BulkRow } from './bulk.ts'
import classes from './Queue.module.css'

interface BulkBarProps {
  selected: readonly OrderRow[]
  onApprove: () => void
  onClear: () => void
}

/** Shows the selected orders and the effect of approving them. */
export function BulkBar({ selected, onApprove, onClear }: BulkBarProps) {
  const isDown = useDownSince() !== undefined
  return (
    <section className={classes.bulk} aria-label="Selected orders">
      <Text size="sm">{countText(selected.length, 'order')} selected</Text>
      <Button variant="default" size="xs" onClick={onClear}>
        Clear
      </Button>
      <Button size="xs" disabled={isDown} onClick={onApprove} rightSection={<ButtonKeys keys="mod+Enter" />}>
        Approve {countText(selected.length, 'order')} in full
      </Button>
    </section>
  )
}

/** Shows a result for each order, since some may have changed. It stays open until every order has a result. */
export function BulkResult({ rows, isRunning, onClose }: { rows: readonly BulkRow[]; isRunning: boolean; onClose: () => void }) {
  const approved = rows.filter(({ outcome }) => outcome.state === 'approved').length
  return (
    <Modal
      opened={rows.length > 0}
      onClose={() => !isRunning && onClose()}
      size="lg"
      title="Approval of selected orders"
      closeButtonProps={{ 'aria-label': 'Close', 'aria-disabled': isRunning }}
    >
      <Text role="status" size="sm" mb="xs">
        {approved} of {countText(rows.length, 'order')} approved{isRunning ? ' so far' : ''}
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
          {rows.map(({ order, outcome }) => (
            <Table.Tr key={order.order_id}>
              <Table.Td>{order.external_order_id}</Table.Td>
              <Table.Td>
                <Money amount={order.totals.gross} currency={order.totals.currency} />
              </Table.Td>
              <Table.Td>
                {outcome.state === 'waiting' && 'Sending'}
                {outcome.state === 'approved' && <Status of="placed" />}
                {outcome.state === 'refused' && <span className={classes.refused}>{outcome.why}</span>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
