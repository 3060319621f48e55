import { Button, Fieldset, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type Capabilities, capabilitiesRead, putCapabilities } from '../../api/queries/profile.ts'
import type { Versioned } from '../../api/versioned.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { type FaultsAt, faultsAt } from '../../ui/fieldFaults.ts'
import { useKeys } from '../../ui/keys.ts'
import { SaveOrChoose } from '../../ui/SaveOrChoose.tsx'
import { useReplacement } from '../../ui/useReplacement.ts'
import { Level } from './Level.tsx'
import classes from './Profile.module.css'
import { bodyOf, isYes, LABELS, POINTERS, type ProfileTexts, textsOf, yesNo } from './profileTexts.ts'

/** Edits a seller's declaration, by which orders are routed. It is saved whole, and only over the version that its editor saw. */
export function ProfileForm({ read }: { read: Versioned<Capabilities> }) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const editing = useReplacement({
    now: read,
    textsOf,
    put: (seen, texts) => putCapabilities(seen.version, bodyOf(texts)),
    reread: () => queries.invalidateQueries({ queryKey: capabilitiesRead.queryKey }),
  })
  const canSave = editing.isChanged && !editing.isConflict && !editing.isSaving && !isDown
  useKeys('Profile', [{ keys: 'mod+Enter', does: 'Save the profile', run: () => canSave && editing.save() }])
  return (
    <form
      className={classes.page}
      onSubmit={(event) => {
        event.preventDefault()
        editing.save()
      }}
    >
      <div className={classes.split}>
        <Fields texts={editing.mine} set={editing.set} faults={faultsAt(editing.error)} />
        <Level capabilities={read.document} />
      </div>
      <div className={classes.bar}>
        <SaveOrChoose what="profile" labels={LABELS} editing={editing}>
          <Button type="submit" size="sm" disabled={!canSave} loading={editing.isSaving} rightSection={<ButtonKeys keys="mod+Enter" />}>
            Save the profile
          </Button>
        </SaveOrChoose>
      </div>
    </form>
  )
}

interface FieldsProps {
  texts: ProfileTexts
  set: (change: Partial<ProfileTexts>) => void
  faults: FaultsAt
}

function Fields({ texts, set, faults }: FieldsProps) {
  const common = (name: keyof ProfileTexts) => ({
    label: LABELS[name],
    size: 'xs' as const,
    error: faults(POINTERS[name] ?? `/${name}`).join(' '),
  })
  const text = (name: keyof ProfileTexts) => ({
    ...common(name),
    value: texts[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  })
  const toggle = (name: keyof ProfileTexts) => (
    <Switch {...common(name)} checked={isYes(texts[name])} onChange={(event) => set({ [name]: yesNo(event.currentTarget.checked) })} />
  )
  return (
    <div className={classes.fields}>
      <Group title="Orders">
        {toggle('catalog')}
        {toggle('proposal')}
        {toggle('document')}
        {toggle('negotiation')}
        {toggle('holds')}
        <NativeSelect {...text('access')} data={ACCESS} />
      </Group>
      <Group title="Decisions">
        <NativeSelect {...text('approval')} data={APPROVALS} />
        <TextInput {...text('max_decision_latency_minutes')} inputMode="numeric" />
        <TextInput {...text('min_lead_minutes')} inputMode="numeric" />
        <TextInput {...text('quote_ttl_minutes')} inputMode="numeric" />
        <NativeSelect {...text('rates')} data={RATES} />
      </Group>
      <Group title="Your own API">
        <TextInput {...text('base_url')} placeholder="https://" />
        <TextInput {...text('secret_ref')} />
        <TextInput {...text('max_concurrent')} inputMode="numeric" />
        {toggle('realtime_availability')}
      </Group>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Fieldset legend={title} className={classes.group ?? ''}>
      {children}
    </Fieldset>
  )
}

const ACCESS = [
  { value: 'open', label: 'every buyer' },
  { value: 'allowlist', label: 'buyers on the allowlist' },
]

const APPROVALS = [
  { value: 'console', label: 'people, in this console' },
  { value: 'api', label: 'your program, by the API' },
  { value: 'rules', label: 'your approval rules' },
  { value: 'pull', label: 'your own API, which is asked' },
]

const RATES = [
  { value: 'frozen_quarterly', label: 'frozen for a quarter' },
  { value: 'live', label: 'live' },
]
