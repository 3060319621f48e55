import { CloseButton, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { usePages } from '../../api/pages.ts'
import type { OrderPreview } from '../../api/queries/creates.ts'
import { type Creative, creativeList } from '../../api/queries/creatives.ts'
import { type Basket, type BasketLine, lineKey, offerText, withLine } from '../../basket/basket.ts'
import type { FaultsAt } from '../../ui/fieldFaults.ts'
import { Named } from '../../ui/Named.tsx'
import { periodGloss } from '../../ui/Period.tsx'
import classes from './Basket.module.css'
import { CELLS } from './cells.ts'
import { HeldUntil } from './HeldUntil.tsx'
import { LinePrice } from './LinePrice.tsx'

interface BasketLinesProps {
  seller: string
  basket: Basket
  put: (next: Basket) => void
  faults: FaultsAt
  preview: OrderPreview | undefined
  isLocked: boolean
}

/** The lines to order, each with its locked price and, below its cells, the API's faults. */
export function BasketLines({ seller, basket, put, faults, preview, isLocked }: BasketLinesProps) {
  const { rows: creatives } = usePages(creativeList, creativesOf)
  return (
    <div className={classes.scroller}>
      <table className={classes.lines} aria-label="Lines">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Period</th>
            <th scope="col" className={classes.right}>
              Units
            </th>
            <th scope="col" className={classes.right}>
              Price, {basket.lines[0]?.rate.currency ?? ''}
            </th>
            <th scope="col">Creative</th>
            <th scope="col">Hold</th>
            <th scope="col">
              <span className={classes.hidden}>Take out</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {basket.lines.map((line, index) => (
            <LineRow
              key={lineKey(line)}
              seller={seller}
              agreement={basket.agreement}
              line={line}
              number={index + 1}
              left={leftOf(preview, index)}
              creatives={creatives}
              faults={(member) => faults(`/line_items/${index}${member}`)}
              isLocked={isLocked}
              onChange={(next) => put(withLine(basket, lineKey(line), () => next))}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LineRowProps {
  seller: string
  agreement: string
  line: BasketLine
  number: number
  left: string
  creatives: readonly Creative[]
  faults: FaultsAt
  isLocked: boolean
  onChange: (next: BasketLine | undefined) => void
}

function LineRow({ seller, agreement, line, number, left, creatives, faults, isLocked, onChange }: LineRowProps) {
  const elsewhere = CELLS.flatMap((member) => faults(`/${member}`))
  const ofLine = faults('').filter((message) => !elsewhere.includes(message))
  return (
    <tr>
      <th scope="row">
        <span className={classes.number}>{number}</span> <Named name={line.title} id={line.product_id} />
        <span className={classes.about}>
          {[line.network, `${line.rate.spot_length} s`, offerText(line.rate), left].filter(Boolean).join(' · ')}
        </span>
        <CellFaults messages={ofLine} />
      </th>
      <Cell faults={faults('/period')}>
        {() => (
          <>
            <span className={classes.period}>{line.period.start}</span>
            <span className={classes.about}>{periodGloss(line.period)}</span>
          </>
        )}
      </Cell>
      <Cell faults={faults('/units')} isRight>
        {(fault) => <UnitsField line={line} number={number} fault={fault} isLocked={isLocked} onChange={onChange} />}
      </Cell>
      <Cell faults={faults('/rate')} isRight>
        {(fault) => (
          <LinePrice
            seller={seller}
            agreement={agreement}
            line={line}
            number={number}
            fault={fault}
            onTake={(rate) => onChange({ ...line, rate })}
          />
        )}
      </Cell>
      <Cell faults={faults('/creative_id')}>
        {(fault) => (
          <CreativeChoice line={line} number={number} creatives={creatives} fault={fault} isLocked={isLocked} onChange={onChange} />
        )}
      </Cell>
      <Cell faults={faults('/hold_id')}>
        {(fault) =>
          line.hold_id && <HeldUntil holdId={line.hold_id} number={number} fault={fault} onEnded={() => onChange(withoutHold(line))} />
        }
      </Cell>
      <td>
        <CloseButton aria-label={`Remove line ${number}`} size="sm" disabled={isLocked} onClick={() => onChange(undefined)} />
      </td>
    </tr>
  )
}

interface FieldProps extends Pick<LineRowProps, 'line' | 'number' | 'isLocked' | 'onChange'> {
  /** The id of the text that says what is wrong with the field. */
  fault: string | undefined
}

function UnitsField({ line, number, fault, isLocked, onChange }: FieldProps) {
  return (
    <TextInput
      size="xs"
      w={64}
      inputMode="numeric"
      aria-label={`Units of line ${number}`}
      classNames={{ input: classes.figure ?? '' }}
      value={line.units}
      disabled={isLocked}
      error={fault !== undefined}
      aria-errormessage={fault}
      onChange={(event) => onChange({ ...line, units: event.currentTarget.value.trim() })}
    />
  )
}

function CreativeChoice({ line, number, creatives, fault, isLocked, onChange }: FieldProps & Pick<LineRowProps, 'creatives'>) {
  const fitting = creatives.filter(
    ({ creative_id, status, length_seconds }) =>
      creative_id === line.creative_id || (status === 'active' && length_seconds === line.rate.spot_length),
  )
  if (fitting.length === 0) return <span className={classes.about}>none registered</span>
  return (
    <NativeSelect
      size="xs"
      w={130}
      aria-label={`Creative of line ${number}`}
      value={line.creative_id ?? ''}
      disabled={isLocked}
      error={fault !== undefined}
      aria-errormessage={fault}
      onChange={(event) => onChange({ ...line, creative_id: event.currentTarget.value })}
      data={[
        { value: '', label: 'later' },
        ...fitting.map(({ creative_id, creative_code }) => ({ value: creative_id, label: creative_code })),
      ]}
    />
  )
}

interface CellProps {
  faults: readonly string[]
  isRight?: boolean
  /** Renders the fields of the cell, for which this is the id of the text that says what is wrong with them. */
  children: (fault: string | undefined) => ReactNode
}

function Cell({ faults, isRight = false, children }: CellProps) {
  const id = useId()
  const isFaulty = faults.length > 0
  return (
    <td className={isRight ? classes.right : ''} {...(isFaulty && { 'data-fault': true })}>
      {children(isFaulty ? id : undefined)}
      <CellFaults id={id} messages={faults} />
    </td>
  )
}

function CellFaults({ id, messages }: { id?: string; messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <span id={id} aria-live="polite">
      {messages.map((message) => (
        <span key={message} className={classes.fault}>
          {message}
        </span>
      ))}
    </span>
  )
}

/** Describes the availability that the seller publishes for a line, from the preview. */
function leftOf(preview: OrderPreview | undefined, index: number): string {
  const availability = preview?.line_items[index]?.availability
  if (!availability) return ''
  const { state, sellout_level } = availability
  return sellout_level === null ? state : `${Math.round(sellout_level * 100)}% sold`
}

function withoutHold({ hold_id: _, ...line }: BasketLine): BasketLine {
  return line
}

function creativesOf({ items }: { items: Creative[] }): Creative[] {
  return items
}
