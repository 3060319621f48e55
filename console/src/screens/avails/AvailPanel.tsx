import { Button, NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import type { Avail, Product } from '../../api/queries/publishing.ts'
import { ButtonKeys } from '../../ui/ButtonKeys.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/Notice.tsx'
import { mondayOf, Period } from '../../ui/Period.tsx'
import classes from './Avails.module.css'
import { cellText, countOf, draftOf, grainOf, keyOf } from './availDrafts.ts'
import { useAvailEdit } from './useAvailEdit.ts'

interface AvailPanelProps {
  product: Product | undefined
  start: string
  avails: ReadonlyMap<string, Avail>
  onStart: (start: string) => void
}

/** Edits one product in one period; a week also lists its days. */
export function AvailPanel({ product, start, avails, onStart }: AvailPanelProps) {
  if (product === undefined) return null
  const avail = avails.get(keyOf(product.product_id, start))
  return (
    <section className={classes.panel} aria-label="Avail">
      <Title order={2}>{product.product_id}</Title>
      <Text size="sm">
        <Period period={{ grain: grainOf(start), start }} />
        {avail === undefined && <span className={classes.dimmed}> nothing published</span>}
      </Text>
      <AvailForm product={product} start={start} avail={avail} />
      <Days product={product} start={start} avails={avails} onStart={onStart} />
    </section>
  )
}

function AvailForm({ product, start, avail }: { product: Product; start: string; avail: Avail | undefined }) {
  const isDown = useDownSince() !== undefined
  const [changed, setChanged] = useState<Partial<Draft>>({})
  const draft = { ...draftOf(avail), ...changed }
  const edit = useAvailEdit(product, start, avail, () => setChanged({}))
  const isChanged = Object.keys(changed).length > 0
  const save = () => {
    if (isChanged && !isDown && !edit.isSaving) edit.save(draft)
  }
  useKeys('Avail', [{ keys: 'mod+Enter', does: 'Publish the avail', run: save }])
  const set = (next: Partial<Draft>) => setChanged((before) => ({ ...before, ...next }))
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <Fields product={product} draft={draft} set={set} faultOf={edit.faultOf} />
      <FaultAlert error={edit.error} />
      {edit.otherFault !== undefined && <Text className={classes.bad}>{edit.otherFault}</Text>}
      {edit.theirs !== undefined && <Theirs theirs={edit.theirs} seen={avail} />}
      <div className={classes.actions}>
        <Button
          size="xs"
          type="submit"
          disabled={!isChanged || isDown}
          loading={edit.isSaving}
          rightSection={<ButtonKeys keys="mod+Enter" />}
        >
          {edit.theirs === undefined ? 'Publish' : 'Replace theirs'}
        </Button>
        <span role="status" className={classes.dimmed}>
          {edit.isSaved && !isChanged ? 'Published' : ''}
        </span>
      </div>
    </form>
  )
}

interface FieldsProps {
  product: Product
  draft: Draft
  set: (next: Partial<Draft>) => void
  faultOf: ReturnType<typeof useAvailEdit>['faultOf']
}

type Draft = ReturnType<typeof draftOf>

function Fields({ product, draft, set, faultOf }: FieldsProps) {
  return (
    <div className={classes.fields}>
      <NativeSelect
        size="xs"
        label="State"
        value={draft.state}
        data={['available', 'unavailable', 'projected']}
        onChange={(event) => set({ state: event.currentTarget.value as Avail['state'] })}
      />
      <TextInput
        size="xs"
        label="Sold, %"
        inputMode="decimal"
        value={draft.sellout}
        error={faultOf('sellout_level')}
        onChange={(event) => set({ sellout: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        label={countOf(product) === 'units' ? 'Units left' : 'Spots left'}
        inputMode="numeric"
        value={draft.count}
        error={faultOf(countOf(product))}
        onChange={(event) => set({ count: event.currentTarget.value })}
      />
    </div>
  )
}

/** Shows what somebody else published during the edit. */
function Theirs({ theirs, seen }: { theirs: Avail; seen: Avail | undefined }) {
  return (
    <Notice title="Somebody else has published this">
      <Text size="sm">
        Theirs: {wordsOf(theirs)}. You saw: {seen === undefined ? 'nothing' : wordsOf(seen)}. Publish again to replace theirs.
      </Text>
    </Notice>
  )
}

function wordsOf(avail: Avail): string {
  return cellText('', '', avail, 'sellout', false)?.label.slice(3) || avail.state
}

const DAYS = [0, 1, 2, 3, 4, 5, 6]
const DAY_MS = 86_400_000

interface DaysProps {
  product: Product
  start: string
  avails: AvailPanelProps['avails']
  onStart: (start: string) => void
}

/** Lists the days of the week, for products that are sold by day. */
function Days({ product: { product_id, grains }, start, avails, onStart }: DaysProps) {
  const monday = mondayOf(start) ?? mondayBefore(start)
  if (monday === undefined || !grains.includes('day')) return null
  return (
    <div className={classes.days}>
      <Text size="xs" c="dimmed">
        Days
      </Text>
      {DAYS.map((day) => {
        const date = new Date(monday.getTime() + day * DAY_MS)
        const iso = date.toISOString().slice(0, 10)
        const avail = avails.get(keyOf(product_id, iso))
        return (
          <button key={iso} type="button" aria-pressed={iso === start} className={classes.day} onClick={() => onStart(iso)}>
            <span>
              {WEEKDAY.format(date)} {iso.slice(5)}
            </span>
            <span className={classes.dimmed}>{avail === undefined ? 'nothing published' : wordsOf(avail)}</span>
          </button>
        )
      })}
    </div>
  )
}

function mondayBefore(start: string): Date | undefined {
  if (grainOf(start) !== 'day') return undefined
  const date = new Date(`${start}T12:00:00Z`)
  return new Date(date.getTime() - ((date.getUTCDay() || 7) - 1) * DAY_MS)
}

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' })
