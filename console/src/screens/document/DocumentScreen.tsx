import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type Order, orderRead, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { ActDialog } from '../../order/ActDialog.tsx'
import { type Act, isAllowed } from '../../order/buyerActs.ts'
import { OrderPage } from '../../order/OrderPage.tsx'
import { useShown } from '../../order/useShown.ts'
import { useDraft } from '../../ui/drafts.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { DocumentLines } from './DocumentLines.tsx'
import classes from './DocumentScreen.module.css'
import { DocumentTotals } from './DocumentTotals.tsx'
import { acknowledgeOf, type Choices, faultsOf, type Parse, parseOf, resolutionsOf } from './resolutions.ts'

const route = getRouteApi('/orders/$id/document')

/** Shows each value read from a document with its page or cell, and the values to resolve before the document is confirmed. */
export function DocumentScreen() {
  const { id } = route.useParams()
  const { side } = useSession()
  const order = useQuery(orderRead(side as Side, id))
  return (
    <OrderPage order={order} id={id} name="Document">
      {(read) => {
        const parse = parseOf(read)
        return parse === undefined ? <NoDocument order={read} /> : <Reading key={read.order_id} order={read} parse={parse} />
      }}
    </OrderPage>
  )
}

function Reading({ order, parse }: { order: Order; parse: Parse }) {
  const { entity, side } = useSession()
  const [act, setAct] = useState<Act>()
  const { seen } = useShown(order, act !== undefined)
  const [choices, setChoices] = useDraft<Choices>(`${side}:${entity}`, `resolve:${order.order_id}`, {})
  const isDown = useDownSince() !== undefined
  const canConfirm = side === 'buyer' && isAllowed('confirm', order)
  const faults = faultsOf(parse, choices)
  const confirm = () => {
    if (canConfirm && faults.length === 0 && !isDown) setAct('confirm')
  }
  useKeys('The document', canConfirm ? [{ keys: 'mod+Enter', does: 'Confirm the lines', run: confirm }] : [])
  return (
    <div className={classes.screen}>
      <DocumentLines parse={parse} choices={choices} {...(canConfirm && { choose: setChoices })} />
      <DocumentTotals parse={parse} currency={order.totals.currency} choices={choices} {...(canConfirm && { choose: setChoices })} />
      {canConfirm && (
        <div className={classes.bar}>
          <span role="status">
            {faults.length === 0 ? 'Every line can be ordered.' : `${countText(faults.length, 'point')} to settle: ${faults[0]}`}
          </span>
          <Button size="sm" variant="default" disabled={isDown} onClick={() => setAct('refuse')}>
            Reject the reading
          </Button>
          <Button size="sm" disabled={isDown || faults.length > 0} onClick={confirm}>
            Confirm {countText(parse.lines.length, 'line')}
          </Button>
        </div>
      )}
      {act && (
        <ActDialog
          act={act}
          order={order}
          shown={seen}
          resolutions={resolutionsOf(parse, choices)}
          acknowledge={acknowledgeOf(parse, choices)}
          onClose={() => setAct(undefined)}
          onSent={() => setChoices(undefined)}
        />
      )}
    </div>
  )
}

function NoDocument({ order }: { order: Order }) {
  if (order.workflow !== 'document')
    return <Empty title="This order came without a document">Its lines are on the page of the order.</Empty>
  if (order.error !== undefined)
    return <Empty title="The document could not be read">{String(order.error.error_message ?? order.error.error_code)}</Empty>
  return <Empty title="The document has not been read yet">What it says appears here as soon as it has.</Empty>
}
