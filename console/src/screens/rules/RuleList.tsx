import type { UsedRule } from '../../api/queries/approvalRules.ts'
import { Instant } from '../../ui/Due.tsx'
import classes from './Rules.module.css'
import { sentenceOf } from './ruleDrafts.ts'
import type { RulesState } from './useRules.ts'

/** Lists the rules in the order in which they are tried, each with its decisions of the last 30 days. */
export function RuleList({ state, used }: { state: RulesState; used: readonly UsedRule[] }) {
  const { rules, at, setAt } = state
  return (
    <ol className={classes.list} aria-label="Rules in order">
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a rule is what it is, and its id may be being typed
        <li key={index}>
          <button type="button" aria-pressed={index === at} className={classes.rule} onClick={() => setAt(index)}>
            <span className={classes.number}>{index + 1}</span>
            <span className={classes.what}>
              <strong>{rule.id}</strong>
              <span>{sentenceOf(rule)}</span>
            </span>
            <span className={`${classes.verdict} ${classes[rule.then]}`}>{rule.then}</span>
            <Activity activity={used.find(({ id }) => id === rule.id)?.last_30_days} />
          </button>
        </li>
      ))}
      <li className={classes.rest}>Every other order waits for a person.</li>
    </ol>
  )
}

function Activity({ activity }: { activity: UsedRule['last_30_days'] | undefined }) {
  if (activity === undefined) return <span className={classes.used}>not published yet</span>
  const { approved, rejected, held, last_used_at } = activity
  const total = approved + rejected + held
  if (total === 0) return <span className={classes.used}>not used in 30 days</span>
  return (
    <span className={classes.used}>
      {total} in 30 days
      {last_used_at !== null && (
        <>
          , last <Instant at={last_used_at} />
        </>
      )}
    </span>
  )
}
