import { Button, SegmentedControl, TextInput, Title } from '@mantine/core'
import classes from './Rules.module.css'
import type { RuleDraft } from './ruleDrafts.ts'
import { CONDITIONS, type Condition, faultsOf } from './ruleDrafts.ts'
import type { RulesState } from './useRules.ts'

/** Edits a rule; an order must meet all its conditions. */
export function RuleForm({ rule, index, state }: { rule: RuleDraft; index: number; state: RulesState }) {
  const set = (next: Partial<RuleDraft>) => state.set(index, { ...rule, ...next })
  const faults = faultsOf(state.error, index)
  return (
    <section className={classes.form} aria-label={`Rule ${index + 1}`}>
      <Head index={index} state={state} />
      <TextInput
        size="xs"
        label="Name"
        value={rule.id}
        error={faults.get('id')}
        onChange={(event) => set({ id: event.currentTarget.value })}
      />
      <div>
        <span className={classes.label} id={`verdict-${index}`}>
          An order that matches
        </span>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby={`verdict-${index}`}
          value={rule.then}
          onChange={(then) => set({ then: then as RuleDraft['then'] })}
          data={[
            { value: 'approve', label: 'Approve' },
            { value: 'reject', label: 'Reject' },
            { value: 'hold', label: 'Hold for a person' },
          ]}
        />
      </div>
      <div className={classes.fields}>
        {CONDITIONS.map((name) => (
          <TextInput
            key={name}
            size="xs"
            label={FIELDS[name].label}
            placeholder={FIELDS[name].any}
            value={rule.when[name]}
            error={faults.get(name)}
            onChange={(event) => set({ when: { ...rule.when, [name]: event.currentTarget.value } })}
          />
        ))}
      </div>
    </section>
  )
}

function Head({ index, state: { rules, move, remove } }: { index: number; state: RulesState }) {
  return (
    <div className={classes.formHead}>
      <Title order={2}>Rule {index + 1}</Title>
      <Button size="compact-xs" variant="default" disabled={index === 0} onClick={() => move(index, index - 1)}>
        Up
      </Button>
      <Button size="compact-xs" variant="default" disabled={index === rules.length - 1} onClick={() => move(index, index + 1)}>
        Down
      </Button>
      <Button size="compact-xs" variant="default" onClick={() => remove(index)}>
        Remove
      </Button>
    </div>
  )
}

const FIELDS: Readonly<Record<Condition, { label: string; any: string }>> = {
  max_gross: { label: 'Gross at most', any: 'any amount' },
  min_lead_days: { label: 'Days ahead, at least', any: 'any number' },
  advertisers: { label: 'Advertisers', any: 'any, or ids with commas' },
  products: { label: 'Only products', any: 'any, or ids with commas' },
  buyers: { label: 'Buyers', any: 'any, or ids with commas' },
  market_classes: { label: 'Only market classes', any: 'any, or scatter, discounted' },
  grains: { label: 'Only periods', any: 'any, or day, week, month' },
}
