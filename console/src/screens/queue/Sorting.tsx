import { NativeSelect } from '@mantine/core'
import type { QueueView } from './useQueueView.ts'

/** Sorts the queue by deadline, or by what speaks for and against its orders. */
export function Sorting({ view: { search, set } }: { view: QueueView }) {
  return (
    <NativeSelect
      size="xs"
      aria-label="Sort by"
      value={search.sort ?? ''}
      onChange={(event) => set({ sort: event.currentTarget.value === 'verdict' ? 'verdict' : undefined })}
      data={[
        { value: '', label: 'By deadline' },
        { value: 'verdict', label: 'By verdict' },
      ]}
    />
  )
}
