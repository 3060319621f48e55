import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type OrderRow, orderRead, type Side } from '../../api/queries/orders.ts'
import { ActForm, ActModal, OrderNamed } from '../../order/ActDialog.tsx'
import { TITLES } from '../../order/buyerActs.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import type { KeyBinding } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'

/** Returns the key with which a buyer cancels the marked order, while it can be canceled, and the dialog that the key opens. */
export function useCancel(side: Side, marked: OrderRow | undefined) {
  const [row, setRow] = useState<OrderRow>()
  const isDown = useDownSince() !== undefined
  const isPossible = side === 'buyer' && !isDown && marked?.allowed_actions.includes('cancel') === true
  const keys: KeyBinding[] = isPossible ? [{ keys: 'c', does: TITLES.cancel, run: () => setRow(marked) }] : []
  return { keys, dialog: row && <CancelOrder row={row} onClose={() => setRow(undefined)} /> }
}

/** Asks a buyer to confirm canceling the order of a row. The row names it at once; the cancel applies to the state read here. */
function CancelOrder({ row, onClose }: { row: OrderRow; onClose: () => void }) {
  const { data: order, error, refetch } = useQuery(orderRead('buyer', row.order_id))
  return (
    <ActModal act="cancel" onClose={onClose}>
      {order === undefined ? (
        <>
          <OrderNamed order={row} />
          {error === null ? <Loading /> : <FaultAlert error={error} retry={() => void refetch()} />}
        </>
      ) : (
        <ActForm act="cancel" order={order} onClose={onClose} />
      )}
    </ActModal>
  )
}
