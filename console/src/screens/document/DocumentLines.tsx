import { NativeSelect, TextInput } from '@mantine/core'
import { useId } from 'react'
import { countText, Price } from '../../ui/Money.tsx'
import { Period } from '../../ui/Period.tsx'
import classes from './DocumentScreen.module.css'
import { type Choices, choiceKey, isResolved, memberOf, optionsOf, type Parse, type Unresolved } from './resolutions.ts'

type Line = Parse['lines'][number]

interface DocumentLinesProps {
  readonly parse: Parse
  readonly choices: Choices
  /** Set for a buyer who may confirm. */
  readonly choose?: (next: Choices) => void
}

const VALUES = ['product', 'network', 'period', 'units', 'impressions_goal', 'unit_cost', 'cpm', 'spot_length', 'buy_type'] as const

/** Shows each value as the document words it, with its cell or page, next to the value that would be ordered. */
export function DocumentLines({ parse, choices, choose }: DocumentLinesProps) {
  const columns = VALUES.filter((name) => parse.lines.some(({ read }) => read[name] !== undefined))
  return (
    <div className={classes.scroller}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name.replaceAll('_', ' ')}
              </th>
            ))}
            <th scope="col">Would be ordered</th>
          </tr>
        </thead>
        <tbody>
          {parse.lines.map((line) => (
            <DocumentLine
              key={line.line}
              line={line}
              columns={columns}
              unresolved={parse.unresolved.filter((value) => value.line === line.line)}
              choices={choices}
              choose={choose}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface DocumentLineProps {
  line: Line
  columns: readonly (typeof VALUES)[number][]
  unresolved: readonly Unresolved[]
  choices: Choices
  choose: DocumentLinesProps['choose']
}

function DocumentLine({ line: { line, read, line_item }, columns, unresolved, choices, choose }: DocumentLineProps) {
  const faulty = new Set(unresolved.map(({ at }) => at))
  return (
    <>
      <tr>
        <th scope="row">{line}</th>
        {columns.map((name) => {
          const value = read[name]
          return (
            <td key={name} className={value && faulty.has(value.at) ? classes.faulty : ''}>
              {value?.read}
              <span className={classes.at}>{value?.at}</span>
            </td>
          )
        })}
        <td>{line_item === null ? <span className={classes.open}>not resolved</span> : <Ordered item={line_item} />}</td>
      </tr>
      {unresolved.length > 0 && (
        <tr className={classes.extra}>
          <td colSpan={columns.length + 2}>
            {unresolved.map((value) => (
              <UnresolvedValue key={choiceKey(value)} value={value} choices={choices} choose={choose} />
            ))}
          </td>
        </tr>
      )}
    </>
  )
}

function Ordered({ item: { product_id, period, units, rate } }: { item: NonNullable<Line['line_item']> }) {
  return (
    <>
      {product_id}
      <span className={classes.at}>
        <Period period={period} />, {countText(units, 'unit')} at <Price rate={rate} currency />
      </span>
    </>
  )
}

/** Shows why a value cannot be ordered as read, its place in the document, and a field to replace it. */
function UnresolvedValue({ value, choices, choose }: { value: Unresolved; choices: Choices; choose: DocumentLinesProps['choose'] }) {
  const key = choiceKey(value)
  const [member, options] = [memberOf(value), optionsOf(value)]
  const label = `Line ${value.line}, ${value.field}`
  const set = (chosen: string) => choose?.({ ...choices, [key]: chosen })
  const fault = useId()
  const field = { size: 'xs' as const, 'aria-label': label, error: !isResolved(value, choices), 'aria-errormessage': fault }
  return (
    <div className={classes.unresolved}>
      <p id={fault} aria-live="polite">
        {value.message}{' '}
        {value.read !== null && (
          <>
            The document says <q>{value.read}</q>
            {value.at !== null && ` in ${value.at}`}.
          </>
        )}
      </p>
      {choose && options.length > 0 && (
        <NativeSelect
          {...field}
          value={choices[key] ?? ''}
          onChange={(event) => set(event.currentTarget.value)}
          data={[{ value: '', label: 'Choose what is meant' }, ...options]}
        />
      )}
      {choose && options.length === 0 && member !== undefined && (
        <TextInput
          {...field}
          placeholder={PLACEHOLDERS[member]}
          value={choices[key] ?? ''}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
      {choose && options.length === 0 && member === undefined && <span className={classes.at}>Send a corrected document.</span>}
    </div>
  )
}

const PLACEHOLDERS = { product_id: 'product_id', period: '2027-W06', units: 'units', locked_rate_id: 'locked_rate_id' }
