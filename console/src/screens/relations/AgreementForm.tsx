import { Checkbox, type CheckboxGroupProps, Fieldset, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FaultsAt } from '../../ui/fieldFaults.ts'
import { itemsOf } from '../../ui/tables.ts'
import { type AgreementTexts, LABELS, pointerOf } from './agreementTexts.ts'
import { Overrides } from './Overrides.tsx'
import { OwnProducts, ScopeField } from './ProductPicker.tsx'

type Name = keyof AgreementTexts

interface AgreementFormProps {
  texts: AgreementTexts
  set: (change: Partial<AgreementTexts>) => void
  faults: FaultsAt
  /** The fields above all others, such as the id and the buyer of a new agreement. */
  first: ReactNode
}

/** A field for every member that the seller can edit, each with the API's faults about it. */
export function AgreementForm({ first, ...edited }: AgreementFormProps) {
  const { field } = fieldsOf(edited)
  return (
    <>
      <Part title="With whom, and when">
        {first}
        <TextInput {...field('start')} placeholder="2027-01-01" />
        <TextInput {...field('end')} placeholder="2027-12-31" />
        <TextInput {...field('external_ref')} />
      </Part>
      <Part title="Money">
        <NativeSelect {...field('settlement_mode')} data={SETTLEMENTS} />
        <TextInput {...field('currency')} placeholder="yours" maxLength={3} />
        <TextInput {...field('agency_commission_pct')} inputMode="decimal" placeholder="0" />
        <TextInput {...field('commitment_gross')} inputMode="decimal" placeholder="none" />
        <TextInput {...field('credit_limit')} inputMode="decimal" placeholder="no limit" />
      </Part>
      <Part title="Late cancels">
        <TextInput {...field('notice_days')} inputMode="numeric" placeholder="none" />
        <TextInput {...field('late_fee_pct')} inputMode="decimal" placeholder="none" />
      </Part>
      <Scope {...edited} />
      <Mails {...edited} />
      <Part title="Matching what aired">
        <TextInput {...field('window_minutes')} inputMode="numeric" placeholder="5" />
        <TextInput {...field('match_minutes')} inputMode="numeric" placeholder="10" />
      </Part>
    </>
  )
}

type Edited = Omit<AgreementFormProps, 'first'>

/** Returns the props of the form's fields by member. */
function fieldsOf({ texts, set, faults }: Edited) {
  const common = (name: Name) => ({ label: LABELS[name], size: 'xs' as const, error: faults(pointerOf(name)).join(' ') })
  return {
    field: (name: Name) => ({
      ...common(name),
      value: texts[name],
      onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
    }),
    text: (name: Name) => ({
      label: LABELS[name],
      error: faults(pointerOf(name)).join(' '),
      value: texts[name],
      set: (next: string) => set({ [name]: next }),
    }),
    choices: (name: Name) => ({
      ...common(name),
      value: itemsOf(texts[name]),
      onChange: (chosen: string[]) => set({ [name]: chosen.join(', ') }),
    }),
  }
}

function Scope(edited: Edited) {
  const { choices, text } = fieldsOf(edited)
  return (
    <Part title="What the buyer may order" columns={1}>
      <OwnProducts />
      <ScopeField {...text('catalog_scope')} />
      <Choices {...choices('permitted_grains')} of={['day', 'week', 'month']} />
      <Choices {...choices('permitted_buy_types')} of={['preemptible', 'non_preemptible', 'audience_guaranteed', 'fixed_position']} />
      <Overrides {...text('disclosure_overrides')} one="disclosure" members={DISCLOSURE} />
      <Overrides {...text('posting_policy_overrides')} one="posting policy" members={[{ label: 'Policy' }]} />
    </Part>
  )
}

function Mails(edited: Edited) {
  const { field, choices } = fieldsOf(edited)
  return (
    <Part title="Order mails to the agency">
      <TextInput {...field('edi_to')} placeholder="none" />
      <NativeSelect {...field('edi_buy_type')} data={WEEKS} />
      <Choices {...choices('edi_formats')} of={['scx', 'csv']} />
      <TextInput {...field('edi_nsi_id')} inputMode="numeric" placeholder="0" />
      <TextInput {...field('edi_syscode')} inputMode="numeric" placeholder="0000" />
      <TextInput {...field('edi_system_name')} placeholder="National" />
    </Part>
  )
}

function Choices({ of, ...group }: Omit<CheckboxGroupProps<string>, 'children'> & { of: readonly string[] }) {
  return (
    <Checkbox.Group {...group}>
      <Group gap="xs" mt={4}>
        {of.map((value) => (
          <Checkbox key={value} size="xs" value={value} label={value.replaceAll('_', ' ')} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function Part({ title, columns = 3, children }: { title: string; columns?: number; children: ReactNode }) {
  return (
    <Fieldset legend={title} mb="sm" p="sm">
      <SimpleGrid cols={{ base: 1, xs: columns }} spacing="sm">
        {children}
      </SimpleGrid>
    </Fieldset>
  )
}

const DISCLOSURE = [
  {
    label: 'Prices',
    of: [
      { value: '', label: 'as in the catalog' },
      { value: 'published', label: 'shown' },
      { value: 'quote', label: 'by quote' },
    ],
  },
  {
    label: 'Avails',
    of: [
      { value: '', label: 'as in the catalog' },
      { value: 'published', label: 'shown' },
      { value: 'on_request', label: 'when asked' },
      { value: 'withheld', label: 'withheld' },
    ],
  },
]

const SETTLEMENTS = [
  { value: 'direct', label: 'direct, between you two' },
  { value: 'cleared', label: 'cleared by the marketplace' },
]

const WEEKS = [
  { value: '', label: 'as usual: days' },
  { value: 'daily', label: 'days' },
  { value: 'weekly', label: 'weeks' },
]
