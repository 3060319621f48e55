import { Button, FileButton, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type DropFileType, deleteMapping, type Mapping, mappingList, putMapping } from '../../api/queries/drops.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { FILE_TYPES } from './fileTypes.ts'
import { MappedColumns } from './MappedColumns.tsx'
import { MappingWords } from './MappingWords.tsx'
import { draftOf, type MappingDraft, mappingOf, NO_MAPPING, withRows, withType } from './mapping.ts'

/** Says once which columns of a seller's own files are ours, by their first rows. */
export function Mapper({ onClose }: { onClose: () => void }) {
  const { data = [] } = useQuery(mappingList)
  const [draft, setDraft] = useState<MappingDraft>(NO_MAPPING)
  const isKnown = data.some(({ name }) => name === draft.name)
  return (
    <Modal opened onClose={onClose} size="90%" title="Columns of your own" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Group align="end">
          {data.length > 0 && (
            <NativeSelect
              size="xs"
              label="Mapping"
              value={isKnown ? draft.name : ''}
              onChange={(event) => {
                const found = data.find(({ name }) => name === event.currentTarget.value)
                setDraft(found === undefined ? NO_MAPPING : draftOf(found.name, found as Mapping))
              }}
              data={[{ value: '', label: 'A new one' }, ...data.map(({ name }) => name)]}
            />
          )}
          <TextInput
            size="xs"
            label="Its name"
            data-autofocus
            value={draft.name}
            onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value.trim() })}
          />
          <NativeSelect
            size="xs"
            label="What the files hold"
            value={draft.type}
            onChange={(event) => setDraft(withType(draft, event.currentTarget.value as DropFileType))}
            data={[...FILE_TYPES]}
          />
        </Group>
        <FirstRows draft={draft} set={setDraft} />
        {draft.headers.length > 0 && <MappedColumns draft={draft} set={setDraft} />}
        {draft.headers.length > 0 && <MappingWords draft={draft} set={setDraft} />}
        <SaveMapping draft={draft} isKnown={isKnown} onClose={onClose} />
      </Stack>
    </Modal>
  )
}

interface DraftProps {
  readonly draft: MappingDraft
  readonly set: (next: MappingDraft) => void
}

function FirstRows({ draft, set }: DraftProps) {
  const [text, setText] = useState('')
  const take = (next: string) => {
    setText(next)
    set(withRows(draft, next))
  }
  const read = (file: File | null) =>
    void file
      ?.slice(0, FIRST_BYTES)
      .text()
      .then((begin) => take(begin.split('\n').slice(0, FIRST_LINES).join('\n')))
  return (
    <Group align="end">
      <Textarea
        size="xs"
        style={{ flex: 1 }}
        rows={3}
        label="The header and the first rows, as a spreadsheet copies them"
        value={text}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <FileButton onChange={read} accept=".csv,text/csv">
        {(props) => (
          <Button size="xs" variant="default" {...props}>
            Or take them of a csv
          </Button>
        )}
      </FileButton>
    </Group>
  )
}

const FIRST_BYTES = 65_536
const FIRST_LINES = 30

function SaveMapping({ draft, isKnown, onClose }: { draft: MappingDraft; isKnown: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const after = {
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: mappingList.queryKey }),
  }
  const saving = useMutation({ mutationFn: () => putMapping(draft.name, mappingOf(draft)), ...after })
  const removing = useMutation({ mutationFn: () => deleteMapping(draft.name), ...after })
  const mapped = draft.ours.filter((one) => one !== '').length
  return (
    <>
      <Text size="sm" role="status">
        {mapped} of {draft.headers.length} columns are read. Files with exactly these headings are read so from the next drop on.
      </Text>
      {faultsAt(saving.error)('/columns').length > 0 && <Text size="sm">{faultsAt(saving.error)('/columns').join(' ')}</Text>}
      <FaultAlert error={saving.error ?? removing.error} title="The mapping is not saved" />
      <Group>
        <Button size="sm" loading={saving.isPending} disabled={draft.name === '' || mapped === 0} onClick={() => saving.mutate()}>
          {isKnown ? 'Replace the mapping' : 'Save the mapping'}
        </Button>
        {isKnown && (
          <Confirm
            label="Delete the mapping"
            isGrave
            consequence={
              <Text size="sm">
                Files with these headings are refused until there is another mapping. Drops that are registered keep it.
              </Text>
            }
            run={() => removing.mutate()}
            button={{ size: 'sm', variant: 'default', loading: removing.isPending }}
          />
        )}
      </Group>
    </>
  )
}
