import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { Ref } from 'react'
import type { Side } from '../api/queries/orders.ts'
import { countText } from '../ui/Money.tsx'
import { Popup } from '../ui/Popup.tsx'
import { type FilterChange, type FilterSearch, filterCount, isFiltered, NO_FILTER, WORKFLOWS } from './orderFilter.ts'

interface OrderFiltersProps {
  readonly side: Side
  readonly search: FilterSearch
  readonly set: (next: FilterChange) => void
  readonly inputRef: Ref<HTMLInputElement>
  readonly placeholder: string
}

/** A search field for orders, and a button that opens the other filters and shows how many are set. */
export function OrderFilters({ side, search, set, inputRef, placeholder }: OrderFiltersProps) {
  const count = filterCount(search)
  return (
    <>
      <TextInput
        ref={inputRef}
        size="xs"
        type="search"
        w={230}
        aria-label="Filter"
        placeholder={placeholder}
        value={search.q ?? ''}
        onChange={(event) => set({ q: event.currentTarget.value })}
      />
      <Popup
        role="dialog"
        label="Filters"
        variant={count > 0 ? 'light' : 'default'}
        button={count > 0 ? countText(count, 'filter') : 'Filters'}
      >
        <Fields side={side} search={search} set={set} />
      </Popup>
      {isFiltered(search) && (
        <Button size="xs" variant="subtle" onClick={() => set(NO_FILTER)}>
          Clear
        </Button>
      )}
    </>
  )
}

function Fields({ side, search, set }: Pick<OrderFiltersProps, 'side' | 'search' | 'set'>) {
  const { buyer, seller, advertiser, workflow, overdue, from, to } = search
  const other =
    side === 'seller'
      ? { name: 'buyer' as const, label: 'Buyer', value: buyer }
      : { name: 'seller' as const, label: 'Seller', value: seller }
  return (
    <Stack gap="xs" w={260}>
      <TextInput
        size="xs"
        label={other.label}
        description="The whole id"
        value={other.value ?? ''}
        onChange={(event) => set({ [other.name]: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        label="Advertiser"
        description="The whole id"
        value={advertiser ?? ''}
        onChange={(event) => set({ advertiser: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Kind of order"
        value={workflow ?? ''}
        onChange={(event) => set({ workflow: WORKFLOWS.find((one) => one === event.currentTarget.value) })}
        data={[{ value: '', label: 'Every kind' }, ...WORKFLOWS.map((value) => ({ value, label: value }))]}
      />
      <NativeSelect
        size="xs"
        label="Deadline"
        value={overdue === undefined ? '' : String(overdue)}
        onChange={(event) => set({ overdue: DEADLINES[event.currentTarget.value] })}
        data={[
          { value: '', label: 'Any' },
          { value: 'true', label: 'Overdue' },
          { value: 'false', label: 'Not overdue' },
        ]}
      />
      <Group gap="xs" grow>
        <TextInput
          size="xs"
          type="date"
          label="First air from"
          value={from ?? ''}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput size="xs" type="date" label="to" value={to ?? ''} onChange={(event) => set({ to: event.currentTarget.value })} />
      </Group>
    </Stack>
  )
}

const DEADLINES: Readonly<Record<string, boolean>> = { true: true, false: false }
