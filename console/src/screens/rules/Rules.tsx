import { Button, Text } from '@mantine/core'
import { useDownSince } from '../../api/health.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import { Force } from './Force.tsx'
import { RuleForm } from './RuleForm.tsx'
import { RuleList } from './RuleList.tsx'
import classes from './Rules.module.css'
import { TheirsAndMine } from './TheirsAndMine.tsx'
import { type RulesState, useRules } from './useRules.ts'

/** The rules that decide orders without a person; the first matching rule decides. */
export function Rules() {
  const state = useRules()
  const { read, rules, at, setAt } = state
  const isDown = useDownSince() !== undefined
  const send = () => {
    if (state.isChanged && !isDown) state.send()
  }
  useKeys('Rules', [
    { keys: 'j', does: 'Next rule', run: () => setAt(Math.min(rules.length - 1, at + 1)) },
    { keys: 'k', does: 'Previous rule', run: () => setAt(Math.max(0, at - 1)) },
    { keys: 'alt+ArrowDown', does: 'Move the rule down', run: () => state.move(at, at + 1) },
    { keys: 'alt+ArrowUp', does: 'Move the rule up', run: () => state.move(at, at - 1) },
    { keys: 'c', does: 'Add a rule', run: state.add },
    { keys: 'mod+Enter', does: 'Save the rules', run: send },
  ])
  const isKnown = read.data !== undefined
  const rule = rules[at]
  return (
    <Page title="Rules" aside={isKnown && <AddRule onAdd={state.add} />}>
      <FaultAlert error={read.error} retry={() => void read.refetch()} />
      {read.isPending && <Loading />}
      {isKnown && <Force inForce={read.data.in_force} rules={read.data.rules} />}
      {state.isStale && <TheirsAndMine state={state} />}
      {isKnown && rules.length === 0 && !state.isChanged && (
        <Empty title="People decide every order">Add a rule to approve, reject or hold orders by gross, lead time, buyer or product.</Empty>
      )}
      {isKnown && (rules.length > 0 || state.isChanged) && (
        <div className={classes.split}>
          <RuleList state={state} used={read.data.rules} />
          <div className={classes.side}>
            {rule !== undefined && <RuleForm key={at} rule={rule} index={at} state={state} />}
            <Send state={state} onSend={send} isDown={isDown} />
          </div>
        </div>
      )}
    </Page>
  )
}

function AddRule({ onAdd }: { onAdd: () => void }) {
  return (
    <Button size="xs" variant="default" onClick={onAdd} rightSection={<kbd>c</kbd>}>
      Add a rule
    </Button>
  )
}

function Send({ state, onSend, isDown }: { state: RulesState; onSend: () => void; isDown: boolean }) {
  return (
    <div className={classes.send}>
      <FaultAlert error={state.error} />
      <div className={classes.buttons}>
        <Button
          size="xs"
          disabled={!state.isChanged || isDown}
          loading={state.isSending}
          onClick={onSend}
          rightSection={<ButtonKeys keys="mod+Enter" />}
        >
          Save {countText(state.rules.length, 'rule')}
        </Button>
        <Button size="xs" variant="default" disabled={!state.isChanged} onClick={state.discard}>
          Discard changes
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {state.isSaved ? 'Saved' : ''}
        </Text>
      </div>
    </div>
  )
}
