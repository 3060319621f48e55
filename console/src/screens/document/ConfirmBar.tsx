import { Button, Checkbox } from '@mantine/core'
import { useDownSince } from '../../api/health.ts'
import type { Order } from '../../api/queries/orders.ts'
import { ActDialog } from '../../order/ActDialog.tsx'
import type { Act, Resolution } from '../../order/buyerActs.ts'
import { useShown } from '../../order/useShown.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText, moneyText } from '../../ui/Money.tsx'
import { answersOf, type Found, isOn, keyOf, leftOut, type Point, pointsOf, type Said, withOn } from './answers.ts'
import classes from './DocumentScreen.module.css'
import { linesText, type Parse } from './parse.ts'
import type { Previewed } from './useConfirmPreview.ts'

interface ConfirmBarProps {
  readonly order: Order
  readonly document: { readonly parse: Parse; readonly said: Said; readonly found: Found; readonly say: (next: Said) => void }
  readonly preview: Previewed
  readonly act: Act | undefined
  readonly setAct: (act: Act | undefined) => void
  readonly sent: { readonly resolutions: readonly Resolution[]; readonly acknowledge: readonly string[] }
  readonly onSent: () => void
}

/** Says what is still to be settled, and confirms what would be booked, once the marketplace has said that it can be. */
export function ConfirmBar({ order, document, preview, act, setAct, sent, onSent }: ConfirmBarProps) {
  const { parse, said, found, say } = document
  const { seen } = useShown(order, act !== undefined)
  const isDown = useDownSince() !== undefined
  const points = pointsOf(parse, said, found)
  // A marketplace that cannot say what a confirm would do says it of the confirm itself.
  const isReady = points.length === 0 && preview.isCurrent && (preview.booked !== undefined || preview.error !== null)
  const count = parse.lines.length - leftOut(parse, said).size
  const confirm = () => {
    if (isReady && !isDown) setAct('confirm')
  }
  const next = points[0]
  useKeys('The document', [
    { keys: 'mod+Enter', does: 'Confirm the lines', run: confirm },
    { keys: 'n', does: 'Next point to settle', run: () => next && focusPoint(points) },
  ])
  return (
    <div className={classes.bar}>
      <span role="status">{statusText(points, preview, isReady)}</span>
      {parse.layout !== undefined && (
        <Checkbox
          size="xs"
          label="Propose these answers for the next document with the same headings"
          checked={isOn(said, keyOf.remember)}
          onChange={(event) => say(withOn(said, keyOf.remember, event.currentTarget.checked))}
        />
      )}
      <Button size="sm" variant="default" disabled={isDown} onClick={() => setAct('refuse')}>
        Reject the reading
      </Button>
      <Button size="sm" disabled={isDown || !isReady} onClick={confirm} rightSection={<ButtonKeys keys="mod+Enter" />}>
        Confirm {countText(count, 'line')}
      </Button>
      {act && (
        <ActDialog
          act={act}
          order={order}
          shown={seen}
          resolutions={sent.resolutions}
          acknowledge={sent.acknowledge}
          remember={isOn(said, keyOf.remember)}
          consequence={
            act === 'confirm' ? <Consequence parse={parse} said={said} preview={preview} acknowledged={sent.acknowledge} /> : null
          }
          onClose={() => setAct(undefined)}
          onSent={onSent}
        />
      )}
    </div>
  )
}

function statusText(points: readonly Point[], { isCurrent, totals }: Previewed, isReady: boolean): string {
  if (points.length > 0) return `${countText(points.length, 'point')} to settle: ${points[0]?.text}`
  if (!isCurrent || !isReady) return 'Asking what would be ordered'
  return `Every line can be ordered.${totals === undefined ? '' : ` Gross ${moneyText(totals.gross, totals.currency)}.`}`
}

/** Goes to the point after the one that has the focus. */
function focusPoint(points: readonly Point[]): void {
  const places = points.map(({ at }) => document.getElementById(at))
  const now = places.findIndex((place) => place?.contains(document.activeElement))
  const place = places[(now + 1) % places.length]
  const field = place?.matches('input, select') ? place : place?.querySelector<HTMLElement>('input, select, button')
  place?.scrollIntoView({ block: 'center' })
  if (field instanceof HTMLElement) field.focus()
}

interface ConsequenceProps {
  readonly parse: Parse
  readonly said: Said
  readonly preview: Previewed
  readonly acknowledged: readonly string[]
}

/** What the confirm would do: how many lines at what gross, what is left out, and which totals are acknowledged. */
function Consequence({ parse, said, preview: { booked, totals }, acknowledged }: ConsequenceProps) {
  const left = [...leftOut(parse, said)].sort((one, other) => one - other)
  const answers = answersOf(parse, said)
  return (
    <ul className={classes.consequence}>
      {booked && totals && (
        <li>
          Orders {countText(booked.length, 'line')}, gross {moneyText(totals.gross, totals.currency)}
        </li>
      )}
      {answers.map(({ question, choice }) => (
        <li key={question.question_id}>
          {question.message} {choice.text}
        </li>
      ))}
      {left.length > 0 && <li>Leaves out {linesText(left)}; the seller sees them with your notes</li>}
      {acknowledged.length > 0 && <li>{countText(acknowledged.length, 'total')} of the document may differ from the lines</li>}
      {left.length === 0 && <li>Leaves nothing out</li>}
    </ul>
  )
}
