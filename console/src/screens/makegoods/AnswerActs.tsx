import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import { useDownSince } from '../../api/health.ts'
import { type AnswerMakegood, answerMakegood, type Makegood } from '../../api/queries/makegoods.ts'
import type { Order } from '../../api/queries/orders.ts'
import { useSession } from '../../api/session.ts'
import { useIsShown } from '../../order/useShown.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Offers, productText } from './Offers.tsx'
import { actsOf, spotText } from './texts.ts'
import { useMakegoodAct } from './useMakegoodAct.ts'

interface ActsProps {
  readonly makegood: Makegood
  readonly order: Order
  readonly isActive: boolean
}

type Act = AnswerMakegood['action']

/** What a buyer may answer, each with what follows from it. */
export function AnswerActs({ makegood, order, isActive }: ActsProps) {
  const [act, setAct] = useState<Act>()
  const isDown = useDownSince() !== undefined
  const possible = actsOf('buyer', makegood) as readonly Act[]
  useKeys(
    'The makegood',
    isActive && !isDown ? possible.map((one) => ({ keys: KEYS[one], does: `${LABELS[one]} the makegood`, run: () => setAct(one) })) : [],
  )
  return (
    <>
      {possible.length > 0 && (
        <Group gap="xs">
          {possible.map((one, index) => (
            <Button
              key={one}
              size="xs"
              variant={index === 0 ? 'filled' : 'default'}
              disabled={isDown}
              onClick={() => setAct(one)}
              rightSection={isActive ? <ButtonKeys keys={KEYS[one]} /> : undefined}
            >
              {LABELS[one]}
            </Button>
          ))}
        </Group>
      )}
      {act && <AnswerDialog act={act} makegood={makegood} order={order} onClose={() => setAct(undefined)} />}
    </>
  )
}

const KEYS = { accept: 'a', decline: 'r', credit: 'c' } as const
const LABELS = { accept: 'Accept', decline: 'Decline', credit: 'Take credit' } as const

interface AnswerProps {
  readonly act: Act
  readonly makegood: Makegood
  readonly order: Order
  readonly onClose: () => void
}

/** Asks once, about the version that was shown when it opened. */
function AnswerDialog({ act, makegood, order, onClose }: AnswerProps) {
  const { name } = useSession()
  const [seen] = useState(makegood)
  const [note, setNote] = useState('')
  const [chosen, choose] = useState(seen.offers.length === 1 ? seen.offers[0]?.offer_id : undefined)
  const answer = useMakegoodAct((key, body: AnswerMakegood) => answerMakegood(seen, key, body), onClose)
  const isStale = makegood.version !== seen.version || makegood.status !== seen.status
  // What a key opens acts once it has been read.
  const isShown = useIsShown(`${seen.makegood_id} ${act}`)
  const offer = seen.offers.find(({ offer_id }) => offer_id === chosen)
  const isMovedOn = answer.error instanceof Fault && answer.error.code === 'INVALID_STATE'
  const send = () =>
    answer.mutate({
      action: act,
      version: seen.version,
      actor: name,
      ...(act === 'accept' && chosen !== undefined && { offer_id: chosen }),
      ...(note.trim() !== '' && { note: note.trim() }),
    })
  return (
    <Modal opened onClose={onClose} size="lg" title={LABELS[act]} closeButtonProps={{ 'aria-label': 'Close' }}>
      {act === 'accept' && seen.offers.length > 1 && (
        <fieldset>
          <legend>Which of the offers</legend>
          <Offers offers={seen.offers} order={order} choice={{ chosen, choose, name: 'offer' }} />
        </fieldset>
      )}
      <Consequence act={act} makegood={seen} order={order} offer={offer} />
      {isStale && <Notice title="The other side has changed it while you read this. Close it to see what it is now." mb="sm" />}
      <TextInput
        label="Note"
        mb="md"
        maxLength={500}
        value={note}
        error={faultsAt(answer.error)('/note').join(' ')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <FaultAlert error={answer.error} {...(isMovedOn && { title: 'It has moved on meanwhile.' })} />
      <Button
        fullWidth
        mt="md"
        data-autofocus
        color={act === 'accept' ? 'indigo' : 'red.9'}
        loading={answer.isPending}
        disabled={!isShown || isStale || (act === 'accept' && offer === undefined)}
        onClick={send}
      >
        {LABELS[act]}
      </Button>
    </Modal>
  )
}

interface ConsequenceProps extends Omit<AnswerProps, 'onClose'> {
  readonly offer: Makegood['offers'][number] | undefined
}

/** What follows from an answer. */
function Consequence({ act, makegood, order, offer }: ConsequenceProps) {
  const missed = makegood.for.map((spot) => spotText(order, spot)).join('; ')
  if (act === 'decline')
    return (
      <Text size="sm" mb="sm">
        Nothing is agreed: {missed} stays missed, and its variance stays open. The seller may notice it again.
      </Text>
    )
  if (act === 'credit')
    return (
      <Text size="sm" mb="sm">
        {missed}: nothing airs in its place, and what has not aired is credited.{' '}
        {order.settlement_mode === 'cleared'
          ? 'The credit note is on the invoice of the month that was booked, at once or when it is issued.'
          : 'It is recorded; you settle it with the seller directly.'}
      </Text>
    )
  if (offer === undefined) return null
  return (
    <Text size="sm" mb="sm">
      {offer.units} of {productText(order, offer)} on {offer.date} airs in the place of{' '}
      {offer.replaces.map((spot) => spotText(order, spot)).join('; ')}. It is billed once, at the price of what it replaces.
    </Text>
  )
}
