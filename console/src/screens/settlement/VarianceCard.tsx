import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Fault } from '../../api/fault.ts'
import type { Side } from '../../api/queries/orders.ts'
import { answerVariance, settleVariance, type Variance } from '../../api/queries/settlement.ts'
import { useKeyed } from '../../api/useKeyed.ts'
import { useIsShown } from '../../order/useShown.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { Money, moneyText } from '../../ui/Money.tsx'
import { decimalPlaces } from '../../ui/minorUnits.ts'
import classes from './Settlement.module.css'
import { actionsOf, CODES, codeText } from './varianceGrid.ts'

interface VarianceCardProps {
  readonly orderId: string
  readonly variance: Variance
  readonly side: Side
  readonly currency: string
}

/** Shows a variance: its kind, the seller's rows, the actions that both sides took, and the actions open to this side. */
export function VarianceCard({ orderId, variance, side, currency }: VarianceCardProps) {
  const { code, state, units, gross, reason, rows, actions } = variance
  return (
    <section className={classes.card} aria-label={`${codeText(code)}, ${state}`}>
      <Group justify="space-between" gap="xs">
        <strong>{codeText(code)}</strong>
        <span className={state === 'disputed' ? classes.bad : classes.dimmed}>{state}</span>
      </Group>
      <Text size="sm">
        {CODES[code]}
        {reason !== undefined && ` (${reason})`}: {units === 1 ? '1 spot' : `${units} spots`}, <Money amount={gross} currency={currency} />
      </Text>
      <Rows rows={rows} currency={currency} />
      {actions.length > 0 && (
        <ol className={classes.steps} aria-label="What was done">
          {actions.map(({ action, side: whose, actor, note, amount, at }) => (
            <li key={at}>
              <Instant at={at} /> {actor} ({whose}): {WORDS[action]}
              {amount !== undefined && (
                <>
                  {' '}
                  <Money amount={amount} currency={currency} />
                </>
              )}
              {note !== undefined && `, "${note}"`}
            </li>
          ))}
        </ol>
      )}
      <Act orderId={orderId} variance={variance} side={side} currency={currency} />
    </section>
  )
}

/** Shows the rows of the seller's files unchanged. */
function Rows({ rows, currency }: Pick<Variance, 'rows'> & { readonly currency: string }) {
  if (rows.length === 0) return null
  return (
    <ul className={classes.rows} aria-label="Rows of the seller">
      {rows.map(({ record_type, air_date, air_time, spot_length, isci, rate, ran, reason, invoice_number }) => (
        <li key={`${record_type}${air_date}${air_time}${isci}${rate}`}>
          {record_type === 'as_run' ? (ran ? 'Aired' : 'Not aired') : 'Billed'} {air_date} {air_time} {spot_length} s {isci}
          {invoice_number !== undefined && `, ${invoice_number}`}
          {rate !== undefined && (
            <>
              {' '}
              <Money amount={rate} currency={currency} bare />
            </>
          )}
          {reason !== undefined && `, ${reason}`}
        </li>
      ))}
    </ul>
  )
}

const WORDS = { accept: 'accepted', dispute: 'disputed', credit: 'credited', uphold: 'upheld' } as const
const LABELS = { accept: 'Accept', dispute: 'Dispute', credit: 'Credit', uphold: 'Uphold' } as const
type Action = keyof typeof LABELS

/** Acts on a variance. If the API refuses, the input stays next to the refusal, and the variance is read again. */
function useAct(orderId: string, { variance_id: id }: Variance) {
  const queries = useQueryClient()
  const send = useKeyed()
  const [note, setNote] = useState('')
  const [amount, setAmount] = useState<number | string>('')
  const act = useMutation({
    mutationFn: (action: Action) => {
      const said = note.trim() === '' ? {} : { note: note.trim() }
      if (action === 'accept' || action === 'dispute')
        return send({ action, ...said }, (key, body) => answerVariance(orderId, id, key, body))
      const credited = action === 'credit' && amount !== '' ? { amount: Number(amount) } : {}
      return send({ action, ...said, ...credited }, (key, body) => settleVariance(orderId, id, key, body))
    },
    onSuccess: () => {
      setNote('')
      setAmount('')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['settlement'] }),
  })
  return { act, note, setNote, amount, setAmount }
}

/** Shows the actions open to this side. */
function Act({ orderId, variance, side, currency }: VarianceCardProps) {
  const { act, note, setNote, amount, setAmount } = useAct(orderId, variance)
  const possible = actionsOf(side, variance.state)
  const faults = faultsAt(act.error)
  // What a button does changes with the state, which the other side may change: it acts once it has been shown.
  const isShown = useIsShown(`${variance.variance_id} ${variance.state}`)
  const isMovedOn = act.error instanceof Fault && act.error.code === 'INVALID_STATE'
  return (
    <>
      <FaultAlert error={act.error} {...(isMovedOn && { title: 'The other side was faster.' })} />
      {possible.length === 0 && (
        <Text size="sm" c="dimmed">
          {waitText(side, variance.state)}
        </Text>
      )}
      {possible.length > 0 && (
        <Group gap="xs" align="end" mt={6}>
          <TextInput
            size="xs"
            label="Note"
            className={classes.note}
            maxLength={500}
            value={note}
            error={faults('/note').join(' ')}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {possible.includes('credit') && (
            <Amount currency={currency} value={amount} error={faults('/amount').join(' ')} onChange={setAmount} />
          )}
          {possible.map((action, index) => {
            const button = {
              size: 'xs',
              variant: index === 0 ? 'filled' : 'default',
              loading: act.isPending && act.variables === action,
              disabled: act.isPending || !isShown,
            } as const
            if (action === 'credit')
              return (
                <Confirm
                  key={action}
                  label="Credit"
                  consequence={credited(amount, currency)}
                  run={() => act.mutate(action)}
                  button={button}
                />
              )
            return (
              <Button key={action} {...button} onClick={() => act.mutate(action)}>
                {LABELS[action]}
              </Button>
            )
          })}
        </Group>
      )}
    </>
  )
}

function credited(amount: number | string, currency: string): string {
  const sum = amount === '' ? 'all that is left of it' : moneyText(Number(amount), currency)
  return `A credit note over ${sum} is issued to the buyer at once. It cannot be taken back.`
}

interface AmountProps {
  currency: string
  value: number | string
  error: string
  onChange: (value: number | string) => void
}

function Amount({ currency, value, error, onChange }: AmountProps) {
  return (
    <NumberInput
      size="xs"
      label={`Credit in ${currency}`}
      placeholder="all that is left"
      w={140}
      min={0}
      decimalScale={decimalPlaces(currency)}
      hideControls
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}

function waitText(side: Side, state: Variance['state']): string {
  if (state === 'gone') return 'New logs or invoices have ended it.'
  if (state === 'accepted') return 'It is settled.'
  if (side === 'seller') return state === 'open' ? 'The buyer has not disputed it.' : 'The buyer may accept it or dispute it again.'
  return 'The seller credits or upholds it.'
}
