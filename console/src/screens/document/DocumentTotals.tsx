import { Checkbox } from '@mantine/core'
import { Icon } from '../../ui/icons.tsx'
import { moneyText } from '../../ui/Money.tsx'
import { type Found, isOn, keyOf, needOf, type Said, withOn } from './answers.ts'
import classes from './DocumentScreen.module.css'
import type { Equation, Parse } from './parse.ts'

interface DocumentTotalsProps {
  readonly parse: Parse
  readonly currency: string
  readonly said: Said
  readonly found: Found
  /** Set for a buyer who may confirm. */
  readonly say?: ((next: Said) => void) | undefined
}

/** Compares the totals that the document states with those of its lines; the buyer acknowledges those that do not tie. */
export function DocumentTotals({ parse, currency, said, found, say }: DocumentTotalsProps) {
  const { totals, proof } = parse
  if (totals.length === 0) return null
  return (
    <section className={classes.totals}>
      <h2>Totals of the document{proof && `: ${LEVELS[proof.level]}`}</h2>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Of</th>
            <th scope="col">Stated</th>
            <th scope="col">Its lines come to</th>
            <th scope="col">Agrees</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ of, lines, read, at, stated, computed, ties }, index) => (
            <tr key={proof?.equations[index]?.equation_id ?? `${of} ${at}`}>
              <th scope="row">
                {of}
                <span className={classes.at}>{lines === undefined ? 'whole document' : `line ${lines.join(', ')}`}</span>
              </th>
              <td>
                {read}
                <span className={classes.at}>
                  {at}: {amount(of, stated, currency)}
                </span>
              </td>
              <td>
                {amount(of, computed, currency)}
                <Cells equation={proof?.equations[index]} />
              </td>
              <td className={ties ? classes.ties : classes.open}>
                <Icon name={ties ? 'check' : 'alert'} size={14} /> {ties ? 'yes' : 'no'}
                <Acknowledge equation={proof?.equations[index]} parse={parse} said={said} found={found} say={say} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const LEVELS = {
  proven: 'all tie',
  partial: 'all tie, and cover some of its lines',
  unproven: 'none',
  contradicted: 'not all tie',
} as const

/** Names the cells that a total sums. */
function Cells({ equation }: { equation: Equation | undefined }) {
  const [, ...summed] = equation?.cells ?? []
  if (summed.length === 0) return null
  return <span className={classes.at}>{summed.length > SHOWN ? `${summed.slice(0, SHOWN).join(', ')} …` : summed.join(', ')}</span>
}

const SHOWN = 8

interface AcknowledgeProps extends Pick<DocumentTotalsProps, 'parse' | 'said' | 'found' | 'say'> {
  readonly equation: Equation | undefined
}

function Acknowledge({ equation, say, ...document }: AcknowledgeProps) {
  if (equation === undefined || say === undefined) return null
  const need = needOf(equation, document)
  if (need === 'nothing') return null
  const label = need === 'required' ? 'Order although it does not tie' : 'Order even if it does not tie'
  return (
    <Checkbox
      size="xs"
      mt={4}
      id={equation.equation_id}
      label={label}
      aria-label={`${label}: ${equation.of} at ${equation.cells[0]}`}
      checked={isOn(document.said, keyOf.total(equation))}
      onChange={(event) => say(withOn(document.said, keyOf.total(equation), event.currentTarget.checked))}
    />
  )
}

function amount(of: 'gross' | 'units', value: number, currency: string): string {
  return of === 'gross' ? moneyText(value, currency) : String(value)
}
