import type { Order } from '../../api/queries/orders.ts'
import { countText, Price } from '../../ui/Money.tsx'
import { Named } from '../../ui/Named.tsx'
import { Period } from '../../ui/Period.tsx'
import { type Found, keyOf, leftOut, type Said } from './answers.ts'
import classes from './DocumentScreen.module.css'
import { LeaveOut } from './LeaveOut.tsx'
import type { Line, Parse, Unresolved } from './parse.ts'
import type { Mark } from './source.ts'
import { UnresolvedValue } from './UnresolvedValue.tsx'

export interface LinesProps {
  readonly parse: Parse
  readonly said: Said
  readonly found: Found
  /** What a confirm would book now, in the order of the lines that are not left out; undefined while that is not known. */
  readonly booked: Order['line_items'] | undefined
  /** Set for a buyer who may confirm. */
  readonly say?: ((next: Said) => void) | undefined
  /** Shows values at their places in the document. */
  readonly show: (marks: readonly Mark[]) => void
}

const VALUES = [
  ...(['row', 'product', 'program', 'network', 'days', 'start', 'end', 'period', 'units', 'impressions_goal', 'unit_cost', 'cpm'] as const),
  ...(['spot_length', 'buy_type', 'market_class', 'advertiser_class', 'clearance_tier', 'basis', 'kind'] as const),
]
type Value = (typeof VALUES)[number]

/** Shows each value as the document words it, with its cell or page, next to what would be ordered. */
export function DocumentLines({ parse, said, found, booked, say, show }: LinesProps) {
  const columns = VALUES.filter((name) => parse.lines.some(({ read }) => read[name] !== undefined))
  const left = leftOut(parse, said)
  const ordered = parse.lines.filter(({ line }) => !left.has(line))
  return (
    <div className={classes.scroller}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Would be ordered</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name.replaceAll('_', ' ')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parse.lines.map((line) => (
            <DocumentLine
              key={line.line}
              line={line}
              columns={columns}
              unresolved={left.has(line.line) ? [] : valuesOf(line.line, parse, found)}
              isLeftOut={left.has(line.line)}
              item={booked?.[ordered.indexOf(line)]}
              said={said}
              say={say}
              show={show}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The values of a line to resolve; what the marketplace has found since stands in place of what it found when the document was read. */
function valuesOf(line: number, { unresolved }: Parse, found: Found): Unresolved[] {
  const own = [...unresolved, ...found.unresolved].filter((value) => value.line === line)
  return [...new Map(own.map((value) => [keyOf.value(value), value])).values()]
}

interface LineProps extends Pick<LinesProps, 'said' | 'say' | 'show'> {
  readonly line: Line
  readonly columns: readonly Value[]
  readonly unresolved: readonly Unresolved[]
  readonly isLeftOut: boolean
  readonly item: Order['line_items'][number] | undefined
}

function DocumentLine({ line: { line, read, line_item }, columns, unresolved, isLeftOut, item, said, say, show }: LineProps) {
  const faulty = new Set(unresolved.map(({ at }) => at))
  const marks = columns.flatMap((name) => read[name] ?? [])
  return (
    <>
      <tr id={`line-${line}`} className={isLeftOut ? classes.left : ''} onMouseEnter={() => show(marks)} onFocus={() => show(marks)}>
        <th scope="row">
          <button type="button" className={classes.place} aria-label={`Line ${line} in the document`} onClick={() => show(marks)}>
            {line}
          </button>
        </th>
        <td>
          <State isLeftOut={isLeftOut} item={item ?? (unresolved.length === 0 ? (line_item ?? undefined) : undefined)} />
          {say && <LeaveOut line={line} isLeftOut={isLeftOut} said={said} say={say} />}
        </td>
        {columns.map((name) => {
          const value = read[name]
          return (
            <td key={name} className={value && faulty.has(value.at) ? classes.faulty : ''}>
              <bdi>{value?.read}</bdi>
              <span className={classes.at}>{value?.at}</span>
            </td>
          )
        })}
      </tr>
      {unresolved.length > 0 && (
        <tr className={classes.extra} onFocus={() => show(marks)}>
          <td colSpan={columns.length + 2}>
            {unresolved.map((value) => (
              <UnresolvedValue key={keyOf.value(value)} value={value} said={said} say={say} />
            ))}
          </td>
        </tr>
      )}
    </>
  )
}

type Item = Pick<Order['line_items'][number], 'product_id' | 'period' | 'units' | 'rate'> & { product_title?: string | undefined }

/** What becomes of a line. */
function State({ isLeftOut, item }: { isLeftOut: boolean; item: Item | undefined }) {
  if (isLeftOut) return <span className={classes.open}>left out</span>
  if (item === undefined) return <span className={classes.open}>not resolved</span>
  return (
    <>
      <Named name={item.product_title} id={item.product_id} />
      <span className={classes.at}>
        <Period period={item.period} />, {countText(item.units, 'unit')} at <Price rate={item.rate} currency />
      </span>
    </>
  )
}
