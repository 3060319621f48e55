import { useQuery } from '@tanstack/react-query'
import { opsHealth } from '../../api/queries/ops.ts'
import { Icon } from '../../ui/icons.tsx'
import { figuresOf } from './figures.ts'
import classes from './Ops.module.css'

/** Shows the health of the marketplace in one row of figures. */
export function Figures() {
  const { data } = useQuery(opsHealth)
  if (data === undefined) return <div className={classes.figures} />
  return (
    <dl className={classes.figures} aria-label="Health">
      {figuresOf(data).map(({ label, value, about, tone }) => (
        <div key={label} className={classes.figure}>
          <dt>{label}</dt>
          <dd>
            <strong className={classes[tone]}>
              {tone !== 'good' && <Icon name="alert" size={14} />}
              {value}
            </strong>
            <span>{about}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
