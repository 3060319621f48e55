import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { serverNow } from '../../api/clock.ts'
import { datedName } from '../../api/ids.ts'
import { ownCatalog } from '../../api/queries/publishing.ts'
import type { EditRow } from '../../ui/EditGrid.tsx'
import type { Kind } from './kinds.ts'

interface HeadProps {
  kind: Kind
  head: EditRow
  faults: ReadonlyMap<string, string>
  onChange: (id: string, text: string) => void
}

/** The values that all rows share, such as the name of a card and its dates. */
export function Head({ kind, head, faults, onChange }: HeadProps) {
  return kind.head.map(({ id, title, placeholder, width }) => (
    <TextInput
      key={id}
      size="xs"
      label={title}
      placeholder={placeholder}
      w={width}
      value={head[id] ?? ''}
      error={faults.get(id)}
      onChange={(event) => onChange(id, event.currentTarget.value)}
    />
  ))
}

/** Suggests a new name for a card, since a name can be used only once, and the catalog's current taxonomy, if the user typed neither. */
export function useSuggestedHead(kind: Kind): (head: EditRow) => EditRow {
  const { data } = useQuery({ ...ownCatalog, enabled: kind.id === 'catalog' })
  const taxonomy = data?.taxonomy_version ?? '1'
  return useCallback(
    (head) => {
      if (kind.id === 'rates') return head.commit === undefined ? { ...head, commit: datedName('rates', serverNow()) } : head
      return kind.id === 'catalog' && head.taxonomy_version === undefined ? { ...head, taxonomy_version: taxonomy } : head
    },
    [kind, taxonomy],
  )
}
