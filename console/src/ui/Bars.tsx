import { useId } from 'react'
import classes from './Bars.module.css'

export interface Bar {
  readonly id: string
  /** The words below the bar. */
  readonly label: string
  /** What its heights are, in the order of the series. */
  readonly values: readonly number[]
  /** The figures in words, one for each value. */
  readonly texts: readonly string[]
}

interface BarsProps {
  readonly title: string
  readonly series: readonly string[]
  readonly bars: readonly Bar[]
  /** The bar that the list is narrowed to. */
  readonly chosen?: string | undefined
  /** Narrows the list to a bar, or shows all of it again. */
  readonly choose?: (id: string | undefined) => void
}

const HEIGHT = 56
const WIDTH = 64

/** A picture of sums by groups; each bar narrows its list. Readers have the same as a table. */
export function Bars({ title, series, bars, chosen, choose }: BarsProps) {
  const id = useId()
  const max = Math.max(1, ...bars.flatMap(({ values }) => values))
  if (bars.length === 0) return null
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id}>
        {title}
        {series.length > 1 &&
          series.map((name, at) => (
            <span key={name} className={`${classes.key} ${classes[`s${at}`] ?? ''}`}>
              {name}
            </span>
          ))}
      </figcaption>
      <div className={classes.bars}>
        {bars.map((bar) => (
          <OneBar key={bar.id} bar={bar} max={max} isChosen={bar.id === chosen} choose={choose} />
        ))}
      </div>
      <BarTable title={title} series={series} bars={bars} />
    </figure>
  )
}

interface OneBarProps {
  readonly bar: Bar
  readonly max: number
  readonly isChosen: boolean
  readonly choose: BarsProps['choose']
}

function OneBar({ bar: { id, label, values, texts }, max, isChosen, choose }: OneBarProps) {
  const each = WIDTH / values.length
  const picture = (
    <>
      <svg aria-hidden="true" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {values.map((value, at) => {
          const height = Math.max(value > 0 ? 2 : 0, (value / max) * HEIGHT)
          return (
            <rect
              key={`${id} ${texts[at]}`}
              className={classes[`s${at}`]}
              x={at * each + 2}
              y={HEIGHT - height}
              width={each - 4}
              height={height}
            />
          )
        })}
      </svg>
      <span className={classes.label}>{label}</span>
    </>
  )
  if (choose === undefined) return <div className={classes.bar}>{picture}</div>
  return (
    <button
      type="button"
      className={`${classes.bar} ${isChosen ? classes.chosen : ''}`}
      aria-pressed={isChosen}
      aria-label={`${label}: ${texts.join(', ')}`}
      title={texts.join(', ')}
      onClick={() => choose(isChosen ? undefined : id)}
    >
      {picture}
    </button>
  )
}

function BarTable({ title, series, bars }: Pick<BarsProps, 'title' | 'series' | 'bars'>) {
  return (
    <table className={classes.hidden}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <td />
          {series.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ id, label, texts }) => (
          <tr key={id}>
            <th scope="row">{label}</th>
            {texts.map((text, at) => (
              <td key={series[at]}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
