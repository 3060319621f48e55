import { Button, Checkbox, Text, Title } from '@mantine/core'
import { type Ref, useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import type { Effect } from '../../api/queries/publishing.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Changes } from './Changes.tsx'
import { type Check, headFaults } from './check.ts'
import type { Kind } from './kinds.ts'
import classes from './Publish.module.css'
import type { Publishing } from './usePublish.ts'

interface EffectPanelProps {
  kind: Kind
  publishing: Publishing
  /** How many rows are not empty. */
  filled: number
  faults: React.ReactNode
}

/** Shows the effect of a publish, and a button that sends it. */
export function EffectPanel({ kind, publishing, filled, faults }: EffectPanelProps) {
  const { result, checkError, isChecking, seen, recheck } = publishing
  const effect = result?.reply?.effect
  const warnings = result?.reply?.warnings ?? []
  const isAllFaulty = result !== undefined && checkError === null && result.good.length === 0 && result.faults.size > 0
  const isHeadFault = headFaults(checkError, kind).size > 0
  return (
    <aside className={classes.panel} aria-label="Effect">
      <div className={classes.findings}>
        <div className={classes.panelHead}>
          <Title order={2}>Effect</Title>
          <Text size="xs" c="dimmed" role="status">
            {stateOf(publishing, filled)}
          </Text>
        </div>
        {!isHeadFault && <FaultAlert error={checkError} retry={recheck} />}
        {faults}
        {seen !== undefined && effect !== undefined && <Stale before={seen} now={effect} />}
        {isAllFaulty && <p className={classes.note}>Nothing would be published: every row has a fault.</p>}
        {effect !== undefined && checkError === null && !isAllFaulty && (
          <div className={isChecking ? classes.old : undefined}>
            <Counts effect={effect} />
            {effect.open_orders_drifting > 0 && (
              <p className={classes.replaced}>
                <Icon name="alert" size={14} /> {replacedText(effect.open_orders_drifting)}
              </p>
            )}
            <Changes kind={kind} effect={effect} before={seen} />
          </div>
        )}
        {warnings.length > 0 && (
          <details className={classes.warnings}>
            <summary>{countText(warnings.length, 'warning')}</summary>
            <ul>
              {warnings.slice(0, 20).map(({ index, code, message }) => (
                <li key={`${index}${code}${message}`}>{message}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <Send publishing={publishing} />
    </aside>
  )
}

function replacedText(count: number): string {
  return `${countText(count, 'open order cites', 'open orders cite')} a price that this card replaces.`
}

function stateOf({ isChecking, result, checkError }: Publishing, filled: number): string {
  if (filled === 0) return ''
  if (isChecking) return 'Checking'
  if (checkError !== null) return 'Not checked'
  return result === undefined ? 'Fill in what is above the grid' : 'Nothing is published yet'
}

function Counts({ effect }: { effect: Effect }) {
  const counts = [
    ['added', effect.added],
    ['changed', effect.changed],
    ['unchanged', effect.unchanged],
    ...(effect.ended > 0 ? [['ended', effect.ended] as const] : []),
  ] as const
  return (
    <dl className={classes.counts}>
      {counts.map(([name, count]) => (
        <div key={name}>
          <dd>{count.toLocaleString('en-US')}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  )
}

/** Warns that somebody else has published, and compares the effect now with the one that the user saw. */
function Stale({ before, now }: { before: Effect; now: Effect }) {
  return (
    <Notice title="What is published has changed since you looked">
      <Text size="sm">
        Nothing of yours was published. You saw {summaryOf(before)}; now it would be {summaryOf(now)}. What is new below is marked.
      </Text>
    </Notice>
  )
}

function summaryOf({ added, changed, unchanged }: Effect): string {
  return `${added} added, ${changed} changed, ${unchanged} unchanged`
}

/** Leaves out rows with faults only after the seller has agreed to it. */
function Send({ publishing }: { publishing: Publishing }) {
  const { result, isFresh, isSending, error, isLost, send, sendAgain } = publishing
  const isDown = useDownSince() !== undefined
  const [agreed, setAgreed] = useState<Check>()
  const [asked, setAsked] = useState<HTMLInputElement | null>(null)
  const good = result?.good.length ?? 0
  const faulty = result?.faults.size ?? 0
  // The seller agrees to the faults of one check, so a later check needs a new agreement.
  const leavesOut = result !== undefined && agreed === result
  const isSendable = isFresh && good > 0 && (faulty === 0 || leavesOut) && !isDown && !isSending
  const publish = () => (isSendable ? send() : asked?.focus())
  useKeys('Publish', [{ keys: 'mod+Enter', does: 'Publish', run: publish }])
  return (
    <div className={classes.send}>
      <FaultAlert error={error} {...(isLost && { title: 'The reply was lost; it may be published all the same', retry: sendAgain })}>
        {isLost && <Text size="sm">Trying again sends the same bytes, so nothing is published twice.</Text>}
      </FaultAlert>
      {faulty > 0 && good > 0 && (
        <LeaveOut inputRef={setAsked} faulty={faulty} checked={leavesOut} onChange={(checked) => setAgreed(checked ? result : undefined)} />
      )}
      <Button fullWidth disabled={!isSendable} loading={isSending} onClick={publish} rightSection={<ButtonKeys keys="mod+Enter" />}>
        {buttonText(good, faulty)}
      </Button>
    </div>
  )
}

function buttonText(good: number, faulty: number): string {
  if (good + faulty === 0) return 'Publish'
  return faulty === 0
    ? `Publish ${countText(good, 'row')}`
    : `Publish ${good.toLocaleString('en-US')} of ${countText(good + faulty, 'row')}`
}

function LeaveOut(props: { inputRef: Ref<HTMLInputElement>; faulty: number; checked: boolean; onChange: (checked: boolean) => void }) {
  const { inputRef, faulty, checked, onChange } = props
  return (
    <Checkbox
      ref={inputRef}
      size="xs"
      label={`Leave out the ${countText(faulty, 'row')} with faults`}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
