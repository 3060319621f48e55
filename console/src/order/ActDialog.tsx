import { Button, Modal, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDownSince } from '../api/health.ts'
import { cancelPreview, type Order, type OrderLine, rereadOrder } from '../api/queries/orders.ts'
import { useSession } from '../api/session.ts'
import { Instant } from '../ui/Due.tsx'
import { FaultAlert } from '../ui/FaultAlert.tsx'
import { faultsAt } from '../ui/fieldFaults.ts'
import { countText, Money, moneyText, Price } from '../ui/Money.tsx'
import { Named, ShortName } from '../ui/Named.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Period } from '../ui/Period.tsx'
import { type Act, isAllowed, MEANINGS, type Resolution, sendAct, TITLES } from './buyerActs.ts'
import { ConflictNote, isConflict } from './ConflictNote.tsx'
import { LinesCompared } from './LinesCompared.tsx'
import { openPlan } from './openPlan.ts'
import { openCounters } from './rounds.ts'

interface ActDialogProps {
  act: Act
  /** The current order. The act is sent for the state that the user saw: at the dialog's opening, or after reviewing a change. */
  order: Order
  /** The state that the page had shown to the user, if that may be another one. */
  shown?: Order | undefined
  resolutions?: readonly Resolution[]
  acknowledge?: readonly string[]
  /** Whether the answers to a document are proposed for the next one. */
  remember?: boolean
  /** What follows from the act, where its meaning does not say it all. */
  consequence?: ReactNode
  onClose: () => void
  onSent?: () => void
}

/** Asks once before a buyer's act is sent, and says what it means. If the order changes, nothing is sent until the user has seen the change. */
export function ActDialog(props: ActDialogProps) {
  return (
    <ActModal act={props.act} onClose={props.onClose}>
      <ActForm {...props} />
    </ActModal>
  )
}

/** The dialog alone, for a page that has yet to read the order. */
export function ActModal({ act, onClose, children }: { act: Act; onClose: () => void; children: ReactNode }) {
  return (
    <Modal opened onClose={onClose} size="lg" title={TITLES[act]} closeButtonProps={{ 'aria-label': 'Close' }}>
      {children}
    </Modal>
  )
}

/** The form inside the dialog. */
export function ActForm({ act, order, shown = order, consequence, onClose, onSent, ...more }: ActDialogProps) {
  const { resolutions = [], acknowledge = [], remember = false } = more
  const { name } = useSession()
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const [seen, setSeen] = useState(shown)
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The dialog moves the focus only when it opens, so a form that is rendered later focuses its own field.
  useEffect(() => field.current?.focus(), [])
  const sending = useMutation({
    mutationFn: () =>
      sendAct(act, isSame(act, seen, order) ? order : seen, { actor: name, reason: reason.trim(), resolutions, acknowledge, remember }),
    onSuccess: () => {
      onSent?.()
      onClose()
    },
    onSettled: () => rereadOrder(queries, order.order_id),
  })
  const isStale = !isSame(act, seen, order) && !sending.isPending && !sending.isSuccess
  const proceed = () => {
    setSeen(order)
    sending.reset()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isDown && !isStale) sending.mutate()
      }}
    >
      {act === 'cancel' && <OrderNamed order={seen} />}
      <Text size="sm" mb="sm">
        {MEANINGS[act]}
      </Text>
      {isStale ? <Changed act={act} then={seen} now={order} onSeen={proceed} /> : <Meant act={act} order={seen} />}
      {consequence}
      <TextInput
        ref={field}
        label="Reason"
        value={reason}
        error={faultsAt(sending.error)('/reason').join(' ')}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
        mb="md"
      />
      {isConflict(sending.error) ? <ConflictNote order={order} tried={TITLES[act].toLowerCase()} /> : <FaultAlert error={sending.error} />}
      <Button
        type="submit"
        fullWidth
        mt="md"
        color={act === 'accept' || act === 'confirm' ? 'indigo' : 'red.9'}
        loading={sending.isPending}
        disabled={isDown || isStale}
      >
        {TITLES[act]}
      </Button>
    </form>
  )
}

interface OrderNamedProps {
  order: {
    external_order_id: string
    seller: string
    seller_name?: string | undefined
    totals: { gross: number; currency?: string | undefined }
  }
}

/** Names the order, its seller and its gross total. */
export function OrderNamed({ order: { external_order_id, seller, seller_name, totals } }: OrderNamedProps) {
  return (
    <Text size="sm" mb="sm">
      <strong>{external_order_id}</strong> to <Named name={seller_name} id={seller} />, gross{' '}
      <Money amount={totals.gross} currency={totals.currency} />
    </Text>
  )
}

/** Compares the lines that the user saw with the current ones; the user must confirm having read the change before sending. */
function Changed({ act, then, now, onSeen }: { act: Act; then: Order; now: Order; onSeen: () => void }) {
  return (
    <Notice title="The order has changed while you read this" mb="sm">
      {isAllowed(act, now) ? (
        <>
          <LinesCompared then={linesOf(act, then)} now={linesOf(act, now)} />
          <Button size="compact-sm" variant="default" onClick={onSeen}>
            Continue with the order as it is now
          </Button>
        </>
      ) : (
        <Text size="sm">This is no longer possible; close the dialog to see what the order has become.</Text>
      )}
    </Notice>
  )
}

function linesOf(act: Act, order: Order): readonly OrderLine[] {
  if (act === 'accept' || act === 'withdraw') return openCounters(order.line_items)
  return openPlan(order)?.line_items ?? order.line_items.filter(({ in_response_to }) => in_response_to === undefined)
}

/** Whether the act means the same for both states: other events may have come between them. */
function isSame(act: Act, seen: Order, order: Order): boolean {
  const meant = (one: Order) => JSON.stringify([one.status, one.totals, isAllowed(act, one), linesOf(act, one)])
  return seen.last_seq === order.last_seq || meant(seen) === meant(order)
}

function Meant({ act, order }: { act: Act; order: Order }) {
  if (act === 'cancel') return <NoticeText order={order} />
  if (act !== 'accept') return null
  return openCounters(order.line_items).map((line) => <CounterMeant key={line.unit_id} order={order} line={line} />)
}

/** A counter that is accepted: what the line becomes, what it was, and until when. */
function CounterMeant({ order, line }: { order: Order; line: OrderLine }) {
  const ask = order.line_items.find(({ unit_id }) => unit_id === line.in_response_to)
  return (
    <Text size="sm" mb={4}>
      <ShortName name={line.product_title} id={line.product_id} />, <Period period={line.period} />, {countText(line.units, 'unit')} at{' '}
      <Price rate={line.rate} currency />
      {ask && (
        <>
          {' '}
          instead of {ask.period.start} at <Price rate={ask.rate} currency />
        </>
      )}
      {line.rate.quote_expires_at && (
        <>
          , open until <Instant at={line.rate.quote_expires_at} />
        </>
      )}
    </Text>
  )
}

/** Says what the cancel means by the terms, as the API measures it now. */
function NoticeText({ order: { order_id, last_seq, cancellation_terms: terms, status, totals } }: { order: Order }) {
  const isBound = terms !== null && status === 'placed'
  const { data: verdict } = useQuery({ ...cancelPreview(order_id, last_seq), enabled: isBound, retry: false })
  const notice = verdict?.notice
  if (!isBound) return null
  if (notice === undefined) {
    return (
      <Text size="sm" mb="sm">
        A cancel is on time {countText(terms.notice_days, 'day')} before the first air date.
      </Text>
    )
  }
  const spare = notice.notice_days_given - notice.notice_days_required
  return (
    <Notice
      role="status"
      mb="sm"
      tone={verdict?.late_notice === 'late' ? 'bad' : 'good'}
      title={
        verdict?.late_notice === 'late'
          ? `Late by ${countText(-spare, 'day')}${notice.fee_amount === undefined ? '' : `: fee ${moneyText(notice.fee_amount, totals.currency)}`}`
          : `On time, for ${countText(spare, 'more day')}`
      }
    >
      <Text size="sm">
        It first airs on {notice.first_air_date}; {countText(notice.notice_days_required, 'day')} of notice are agreed
        {terms.late_fee_pct !== undefined && `, and ${terms.late_fee_pct}% of the gross if it is late`}.
      </Text>
    </Notice>
  )
}
