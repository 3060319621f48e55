import { Button, Modal, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { cancelOrder, confirmOrder, type Order, respondToCounters } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { ConflictNote, isConflict } from '../../order/ConflictNote.tsx'
import { openCounters } from '../../order/rounds.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { shownKeys, useKeys } from '../../ui/keys.ts'
import { countText, Price } from '../../ui/Money.tsx'
import { Period } from '../../ui/Period.tsx'
import classes from './OrderScreen.module.css'
import { openPlan } from './plan.ts'

type Act = 'accept' | 'withdraw' | 'confirm' | 'refuse' | 'cancel'

/** What a buyer may do now: answer counters or a plan, or cancel. Each asks once, with what it means. */
export function BuyerActions({ order }: { order: Order }) {
  const [act, setAct] = useState<Act>()
  const isDown = useDownSince() !== undefined
  const plan = openPlan(order)
  const counters = openCounters(order.line_items)
  const canRespond = order.allowed_actions.includes('respond') && counters.length > 0
  const canConfirm = order.allowed_actions.includes('confirm') && plan !== undefined
  const canCancel = order.allowed_actions.includes('cancel')
  const first: Act | undefined = canRespond ? 'accept' : canConfirm ? 'confirm' : undefined
  useKeys('The order', first === undefined ? [] : [{ keys: 'mod+Enter', does: TITLES[first], run: () => setAct(first) }])
  if (!canRespond && !canConfirm && !canCancel) return null
  const button = (which: Act, label: string, isMain = false) => (
    <Button
      size="sm"
      variant={isMain ? 'filled' : 'default'}
      disabled={isDown}
      onClick={() => setAct(which)}
      rightSection={isMain ? shownKeys('mod+Enter').join(' ') : undefined}
    >
      {label}
    </Button>
  )
  return (
    <div className={classes.actions}>
      {canRespond && (
        <p>
          {countText(counters.length, 'counter')} of the seller {counters.length === 1 ? 'is' : 'are'} open.
        </p>
      )}
      {canConfirm && <p>The seller has sent a plan of {countText(plan.line_items.length, 'line')}.</p>}
      {canCancel && button('cancel', 'Cancel the order')}
      {canRespond && button('withdraw', 'Withdraw')}
      {canRespond && button('accept', `Accept ${countText(counters.length, 'counter')}`, true)}
      {canConfirm && button('refuse', 'Reject the plan')}
      {canConfirm && button('confirm', 'Confirm the plan', true)}
      {act && <ActDialog key={act} act={act} order={order} onClose={() => setAct(undefined)} />}
    </div>
  )
}

const TITLES: Record<Act, string> = {
  accept: 'Accept the counters',
  withdraw: 'Withdraw the order',
  confirm: 'Confirm the plan',
  refuse: 'Reject the plan',
  cancel: 'Cancel the order',
}

const MEANINGS: Record<Act, string> = {
  accept: 'The order is placed at the prices below; the lines that they answer are not booked.',
  withdraw: 'The order ends as canceled; nothing of it airs.',
  confirm: 'The plan goes to the seller for its decision.',
  refuse: 'The order ends as canceled; nothing of it airs.',
  cancel: 'The order ends as canceled. The seller sees that and your reason.',
}

function ActDialog({ act, order, onClose }: { act: Act; order: Order; onClose: () => void }) {
  const { name } = useSession()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const sending = useMutation({
    mutationFn: () => send(act, order, name, reason.trim()),
    onSuccess: onClose,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['order', order.order_id] }),
        queries.invalidateQueries({ queryKey: ['orders'] }),
      ]),
  })
  const isEnd = act === 'withdraw' || act === 'refuse' || act === 'cancel'
  return (
    <Modal opened onClose={onClose} title={TITLES[act]} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          sending.mutate()
        }}
      >
        <Text size="sm" mb="sm">
          {MEANINGS[act]}
        </Text>
        {act === 'accept' && <CounterList order={order} />}
        {act === 'cancel' && <NoticeText order={order} />}
        <TextInput label="Reason" value={reason} onChange={(event) => setReason(event.currentTarget.value)} data-autofocus mb="md" />
        {isConflict(sending.error) ? (
          <ConflictNote order={order} meant={TITLES[act].toLowerCase()} />
        ) : (
          <FaultAlert error={sending.error} />
        )}
        <Button type="submit" fullWidth mt="md" color={isEnd ? 'red.9' : 'indigo'} loading={sending.isPending}>
          {TITLES[act]}
        </Button>
      </form>
    </Modal>
  )
}

function CounterList({ order }: { order: Order }) {
  return openCounters(order.line_items).map((line) => (
    <Text key={line.unit_id} size="sm" mb={4}>
      {line.product_id}, <Period period={line.period} />, {countText(line.units, 'unit')} at <Price rate={line.rate} currency />
    </Text>
  ))
}

function NoticeText({ order: { cancellation_terms: terms, status } }: { order: Order }) {
  if (terms === null || status !== 'placed') return null
  const fee = terms.late_fee_pct === undefined ? '' : ` A later one costs ${terms.late_fee_pct}% of what is canceled.`
  return (
    <Text size="sm" mb="sm">
      A cancel is on time {countText(terms.notice_days, 'day')} before the first air date.{fee}
    </Text>
  )
}

async function send(act: Act, order: Order, actor: string, reason: string): Promise<unknown> {
  const command = { orderId: order.order_id, lastSeq: order.last_seq }
  const said = { actor, ...(reason !== '' && { reason }) }
  if (act === 'cancel') return cancelOrder({ ...command, body: said })
  if (act === 'accept' || act === 'withdraw') return respondToCounters({ ...command, body: { action: act, ...said } })
  const plan = openPlan(order)
  const plan_id = plan === undefined ? {} : { plan_id: plan.plan_id }
  return confirmOrder({ ...command, body: { action: act === 'confirm' ? 'confirm' : 'reject', ...plan_id, ...said } })
}
