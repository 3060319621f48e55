import { Button } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Fault, isUnanswered } from '../api/fault.ts'
import { ButtonKeys } from '../ui/ButtonKeys.tsx'
import { useKeys } from '../ui/keys.ts'
import { countText } from '../ui/Money.tsx'
import { BulkResults, countSent } from './BulkResults.tsx'
import classes from './OutboxBar.module.css'
import { dismiss, isRefused, type Sending, sendAgain, undo } from './outbox.ts'

/** Says what is about to be sent, takes it back, and says what has become of it. */
export function OutboxBar({ sendings }: { sendings: readonly Sending[] }) {
  const takeBack = useTakeBack()
  const [opened, setOpened] = useState<number>()
  const isUndoable = sendings.some(({ state }) => state === 'undoable')
  useKeys('What is being sent', isUndoable ? [{ keys: 'z', does: 'Undo, before it is sent', run: takeBack }] : [])
  const results = sendings.find(({ id }) => id === opened)
  return (
    <>
      {sendings.map((sending) => (
        <Line key={sending.id} sending={sending} onUndo={takeBack} onResults={() => setOpened(sending.id)} />
      ))}
      {results && <BulkResults sending={results} onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** Returns the function that takes back what has not been sent yet; the queue then opens that order again. */
function useTakeBack(): () => void {
  const navigate = useNavigate()
  const isInQueue = useLocation({ select: ({ pathname }) => pathname }) === '/queue'
  return () => {
    const sending = undo()
    const order = sending?.isBulk ? undefined : sending?.commands[0]?.order.order_id
    if (order !== undefined && isInQueue) void navigate({ from: '/queue', to: '/queue', search: (before) => ({ ...before, order }) })
  }
}

interface LineProps {
  readonly sending: Sending
  readonly onUndo: () => void
  readonly onResults: () => void
}

function Line({ sending, onUndo, onResults }: LineProps) {
  const { id, state, will, commands, isBulk } = sending
  const place = usePlace()
  // The page of the order itself says why its decision was refused.
  const isToldThere = isRefused(sending) && !isBulk && place.tells(commands[0]?.order.order_id)
  if (isToldThere) return null
  return (
    <section className={classes.bar} aria-label="What is being sent">
      {state === 'undoable' ? (
        <>
          <span role="status">{will}</span>
          <Countdown until={sending.sendsAt} />
        </>
      ) : (
        <Standing sending={sending} />
      )}
      <span className={classes.controls}>
        {state === 'undoable' && (
          <Button size="compact-xs" variant="default" onClick={onUndo} rightSection={<ButtonKeys keys="z" />}>
            Undo
          </Button>
        )}
        {isBulk && (state === 'sending' || state === 'done') && (
          <Button size="compact-xs" variant="default" onClick={onResults}>
            Results
          </Button>
        )}
        {state === 'done' && isLost(sending) && (
          <Button size="compact-xs" variant="default" onClick={() => sendAgain(id)}>
            Send again
          </Button>
        )}
        {state === 'done' && isRefused(sending) && !isBulk && (
          <Button size="compact-xs" variant="default" onClick={() => place.open(commands[0]?.order.order_id)}>
            Open the order
          </Button>
        )}
        {state === 'done' && (
          <Button size="compact-xs" variant="default" onClick={() => dismiss(id)}>
            Close
          </Button>
        )}
      </span>
    </section>
  )
}

/** Returns whether the page shown tells of an order, and a function that opens one. */
function usePlace() {
  const { pathname, search } = useLocation({ select: ({ pathname, search }) => ({ pathname, search: search as { order?: string } }) })
  const navigate = useNavigate()
  return {
    tells: (orderId = '') => pathname === `/orders/${orderId}` || (pathname === '/queue' && search.order === orderId),
    open: (id = '') => void navigate({ to: '/orders/$id', params: { id } }),
  }
}

/** Says in how many seconds it is sent. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(ticking)
  }, [])
  return <span aria-hidden="true">in {Math.max(0, Math.ceil((until - now) / 1_000))} s</span>
}

const LONG_MS = 5_000

/** After some seconds without an answer, says that nothing has to be done. */
function LongWait() {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLong && '. Still sending. It is safe to wait.'
}

/** Says what has become of it. */
function Standing({ sending }: { sending: Sending }) {
  const { state, commands, done, will, outcomes, isBulk } = sending
  if (state === 'undone')
    return <span role="status">Undone: nothing was sent. {isBulk ? 'The orders are' : 'It is'} still in your queue.</span>
  if (state === 'sending')
    return (
      <span role="status">
        {isBulk ? `${will}: ${countSent(outcomes)} of ${commands.length} done` : `${will}, sending`}
        <LongWait />
      </span>
    )
  if (!isRefused(sending)) return <span role="status">{done}</span>
  const [first] = [...outcomes.values()].filter((outcome) => outcome.state === 'refused')
  const left = commands.length - countSent(outcomes)
  const why = first?.state === 'refused' && first.error instanceof Fault ? first.error.message : ''
  return (
    <span role="alert" className={classes.refused}>
      {isBulk
        ? `${countText(left, 'order')} of ${commands.length} not decided. `
        : `${commands[0]?.order.external_order_id} was not decided. `}
      {isLost(sending) ? 'No reply came; it is done at most once if it is sent again.' : why}
    </span>
  )
}

function isLost({ outcomes }: Sending): boolean {
  return [...outcomes.values()].some((outcome) => outcome.state === 'refused' && isUnanswered(outcome.error))
}
