import { Button, Text } from '@mantine/core'
import { useIsMutating } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fault } from '../../api/fault.ts'
import { useDownSince } from '../../api/health.ts'
import type { Basket } from '../../basket/basket.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsByPointer } from '../../ui/fieldFaults.ts'
import { useKeys } from '../../ui/keys.ts'
import { countText, moneyText } from '../../ui/Money.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './Basket.module.css'
import { attachKey, nextFault, unplaced } from './cells.ts'
import type { useOrdering } from './useOrdering.ts'
import type { usePreview } from './usePreview.ts'

interface OrderBarProps {
  seller: string
  basket: Basket
  checked: ReturnType<typeof usePreview>
  ordering: ReturnType<typeof useOrdering>
  onClear: () => void
}

/** Shows the order's total and faults, and the button that sends it. */
export function OrderBar({ seller, basket, checked, ordering, onClear }: OrderBarProps) {
  const isDown = useDownSince() !== undefined
  const isAttaching = useIsMutating({ mutationKey: attachKey(seller) }) > 0
  const refusal = ordering.error ?? checked.error
  const count = faultsByPointer(refusal).length
  const isLost = basket.sent !== undefined && !ordering.isSending
  const act = () => {
    if (isDown || isAttaching || basket.lines.length === 0) return
    if (count > 0 && !isLost) nextFault()
    else ordering.send()
  }
  useKeys('Basket', [{ keys: 'mod+Enter', does: 'Order, or go to the first fault', run: act }])
  return (
    <div className={classes.bar}>
      {isLost ? <LostNote basket={basket} error={ordering.error} /> : <Unplaced error={refusal} retry={checked.retry} />}
      <div className={classes.row}>
        <Confirm
          label="Empty the basket"
          consequence={emptied(basket)}
          run={onClear}
          isGrave
          button={{
            size: 'sm',
            variant: 'subtle',
            color: 'gray',
            disabled: basket.sent !== undefined || isAttaching,
            className: classes.clear ?? '',
          }}
        />
        <Standing basket={basket} checked={checked} count={count} />
        <Button
          size="sm"
          disabled={isDown || isAttaching || basket.lines.length === 0 || (count > 0 && !isLost)}
          loading={ordering.isSending}
          onClick={act}
          rightSection={<ButtonKeys keys="mod+Enter" />}
        >
          {isLost ? 'Send it again' : `Order ${countText(basket.lines.length, 'line')}`}
        </Button>
      </div>
    </div>
  )
}

/** Says what is lost with the basket, and what is not. */
function emptied({ lines, attachments }: Basket): string {
  const parts = [countText(lines.length, 'line'), ...(attachments.length > 0 ? [countText(attachments.length, 'attachment')] : [])]
  const holds = lines.some(({ hold_id }) => hold_id !== undefined) ? ' The holds that its lines cite stay until they end.' : ''
  return `${parts.join(' and ')} and what you wrote are thrown away. Nothing has been ordered.${holds}`
}

/** Shows the total that the API computed, or the number of faults to correct. */
function Standing({ basket, checked: { preview, isCurrent }, count }: Pick<OrderBarProps, 'basket' | 'checked'> & { count: number }) {
  if (count > 0) {
    return (
      <Text role="status" size="sm" className={classes.toCorrect ?? ''}>
        {basket.advertiser.trim() === '' && count === 1
          ? 'Name the advertiser to see the total.'
          : `${countText(count, 'fault')} to correct; n goes to the next`}
      </Text>
    )
  }
  if (preview === undefined)
    return (
      <Text role="status" size="sm" c="dimmed">
        {basket.lines.length > 0 && 'Checking'}
      </Text>
    )
  const { totals, warnings = [] } = preview
  const impressions = Object.entries(totals.impressions ?? {}).map(([audience, sum]) => `${countText(sum, 'impression')} of ${audience}`)
  return (
    <Text role="status" size="sm" className={isCurrent ? '' : (classes.stale ?? '')}>
      {warnings.length > 0 && (
        <span className={classes.warning}>
          {countText(warnings.length, 'warning')}: {warningText(warnings)}.{' '}
        </span>
      )}
      {impressions.length > 0 && <span className={classes.quiet}>{impressions.join(', ')} </span>}
      Total <strong>{moneyText(totals.gross, totals.currency)}</strong>
    </Text>
  )
}

function warningText(warnings: readonly { code: string }[]): string {
  return [...new Set(warnings.map(({ code }) => code.toLowerCase().replaceAll('_', ' ')))].join(', ')
}

/** Shows faults that belong to no cell, or the failure of the call itself. */
function Unplaced({ error, retry }: { error: unknown; retry: () => void }) {
  if (!error) return null
  if (error instanceof Fault && error.isOutage) return <FaultAlert error={error} title="The basket is not checked" retry={retry} />
  const messages = unplaced(error)
  if (messages.length === 0) return null
  return (
    <Notice tone="bad" title="The order cannot be placed like this">
      {messages.map((message) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
    </Notice>
  )
}

/** Shown after the order was sent and before its outcome is known. */
function LostNote({ basket: { external_order_id }, error }: { basket: Basket; error: unknown }) {
  return (
    <Notice title="No reply came to this order">
      <Text size="sm">
        Send it again: it is the same order, so it is placed at most once. Until then nothing in it can be changed. If it was taken, it is
        among{' '}
        <Link to="/orders" search={{ q: external_order_id }}>
          your orders
        </Link>
        .
      </Text>
      {error instanceof Error && (
        <Text size="xs" c="dimmed">
          {error.message}
        </Text>
      )}
    </Notice>
  )
}
