import { useQuery } from '@tanstack/react-query'
import { orderRead } from '../../api/queries/orders.ts'
import { ActDialog } from '../../order/ActDialog.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'

/** Asks a buyer whether it cancels an order of the book, as the order is by now. */
export function CancelOrder({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: order, error, refetch } = useQuery(orderRead('buyer', id))
  if (order === undefined) return <FaultAlert error={error} retry={() => void refetch()} />
  return <ActDialog act="cancel" order={order} onClose={onClose} />
}
