import { Button, Group, Text } from '@mantine/core'
import { Notice } from '../../ui/Notice.tsx'
import classes from './Rules.module.css'
import { type RuleDraft, sentenceOf } from './ruleDrafts.ts'
import type { RulesState } from './useRules.ts'

/** Shows that somebody else has replaced the rules: compares both versions and marks the differences. */
export function TheirsAndMine({ state }: { state: RulesState }) {
  const { rules, published, sendOver, discard, isSending } = state
  return (
    <Notice title="Somebody replaced the rules while you edited them; yours were not sent">
      <div className={classes.versions}>
        <Version title="Theirs" rules={published.rules} others={rules} />
        <Version title="Yours" rules={rules} others={published.rules} />
      </div>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" loading={isSending} onClick={sendOver}>
          Replace theirs by yours
        </Button>
        <Button size="compact-sm" variant="default" onClick={discard}>
          Take theirs
        </Button>
      </Group>
    </Notice>
  )
}

function Version({ title, rules, others }: { title: string; rules: readonly RuleDraft[]; others: readonly RuleDraft[] }) {
  const known = new Set(others.map((rule, index) => `${index}${JSON.stringify(rule)}`))
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <ol>
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place of a rule is part of what it says
          <li key={index}>
            {known.has(`${index}${JSON.stringify(rule)}`) ? textOf(rule) : <mark className={classes.differs}>{textOf(rule)}</mark>}
          </li>
        ))}
      </ol>
      {rules.length === 0 && <Text size="sm">no rules</Text>}
    </section>
  )
}

function textOf(rule: RuleDraft): string {
  return `${rule.id}: ${rule.then} ${sentenceOf(rule)}`
}
