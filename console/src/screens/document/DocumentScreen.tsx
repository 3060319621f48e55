import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type Order, orderRead, type Side } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { type Act, isAllowed } from '../../order/buyerActs.ts'
import { OrderPage } from '../../order/OrderPage.tsx'
import { useDraft } from '../../ui/drafts.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { acknowledgeOf, NOTHING_FOUND, pointsOf, resolutionsOf, type Said } from './answers.ts'
import { ConfirmBar } from './ConfirmBar.tsx'
import { DocumentLines } from './DocumentLines.tsx'
import classes from './DocumentScreen.module.css'
import { DocumentTotals } from './DocumentTotals.tsx'
import { Ignored } from './Ignored.tsx'
import { type Parse, parseOf } from './parse.ts'
import { Questions } from './Questions.tsx'
import { SourcePane } from './SourcePane.tsx'
import type { Mark } from './source.ts'
import { useConfirmPreview } from './useConfirmPreview.ts'

const route = getRouteApi('/orders/$id/document')

/** Shows each value read from a document beside the document itself, and what is to be settled before it is confirmed. */
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
  const { entity, side, name } = useSession()
  const [act, setAct] = useState<Act>()
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [said, setSaid] = useDraft<Said>(`${side}:${entity}`, `resolve:${order.order_id}`, {})
  const canConfirm = side === 'buyer' && isAllowed('confirm', order)
  const isSettled = canConfirm && pointsOf(parse, said).length === 0
  const [resolutions, acknowledge] = [resolutionsOf(parse, said), acknowledgeOf(parse, said)]
  const body = { action: 'confirm' as const, actor: name, resolutions, acknowledge }
  const preview = useConfirmPreview(order, isSettled ? body : undefined)
  const found = isSettled ? preview : NOTHING_FOUND
  const say = canConfirm ? setSaid : undefined
  const document = { parse, said, found, say }
  return (
    <div className={side === 'buyer' ? classes.split : classes.whole}>
      {side === 'buyer' && <SourcePane order={order} marks={marks} />}
      <div className={classes.screen}>
        <Questions parse={parse} said={said} say={say} show={({ at, message }) => setMarks([{ at, read: message }])} />
        <DocumentLines {...document} booked={found === preview && preview.isCurrent ? preview.booked : undefined} show={setMarks} />
        <DocumentTotals {...document} currency={order.totals.currency} />
        <Ignored parse={parse} />
        {found === preview && <FaultAlert error={preview.error} />}
        {say && (
          <ConfirmBar
            order={order}
            document={{ ...document, say }}
            preview={preview}
            act={act}
            setAct={setAct}
            sent={{ resolutions, acknowledge }}
            onSent={() => setSaid(undefined)}
          />
        )}
      </div>
    </div>
  )
}

function NoDocument({ order }: { order: Order }) {
  const { side } = useSession()
  if (order.workflow !== 'document')
    return <Empty title="This order came without a document">Its lines are on the page of the order.</Empty>
  if (order.error === undefined)
    return <Empty title="The document has not been read yet">What it says appears here as soon as it has.</Empty>
  return (
    <>
      <Empty title="The document could not be read">{String(order.error.error_message ?? order.error.error_code)}</Empty>
      {side === 'buyer' && <SourcePane order={order} marks={[]} />}
    </>
  )
}
