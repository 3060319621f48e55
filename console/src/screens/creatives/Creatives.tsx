import { Button, Modal, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { usePages } from '../../api/pages.ts'
import { archiveCreative, type Creative, creativeList } from '../../api/queries/creatives.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { RegisterDialog } from './RegisterDialog.tsx'

const route = getRouteApi('/creatives')

/** The buyer's registry of spots; the lines of an order refer to them. */
export function Creatives() {
  const { active } = route.useSearch()
  const navigate = useNavigate()
  const isDown = useDownSince() !== undefined
  const [dialog, setDialog] = useState<'register' | 'archive'>()
  const { rows, list, more } = usePages(creativeList, creativesOf)
  const shown = rows.find(({ creative_id }) => creative_id === active) ?? rows[0]
  const setActive = (id: string | undefined) =>
    id !== undefined && void navigate({ to: '/creatives', search: { active: id }, replace: true })
  const move = (step: number) => setActive(neighbor(rows.map(creativeId), shown?.creative_id, step))
  useKeys('Creatives', [
    { keys: 'j', does: 'Next creative', run: () => move(1) },
    { keys: 'k', does: 'Previous creative', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next creative', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous creative', run: () => move(-1) },
    { keys: 'c', does: 'Register a creative', run: () => setDialog('register') },
  ])
  return (
    <Page
      title="Creatives"
      aside={
        <>
          <Button size="xs" variant="default" disabled={isDown || shown?.status !== 'active'} onClick={() => setDialog('archive')}>
            Archive
          </Button>
          <Button size="xs" disabled={isDown} onClick={() => setDialog('register')}>
            Register a creative
          </Button>
        </>
      }
    >
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && (
        <Empty title="No creative yet">Register the code and the length of a spot: lines of that length can then name it.</Empty>
      )}
      {rows.length > 0 && (
        <Grid<Creative>
          label="Creatives"
          columns={COLUMNS}
          rows={rows}
          rowId={creativeId}
          active={shown?.creative_id}
          onActive={setActive}
          onEnd={more}
        />
      )}
      {dialog === 'register' && <RegisterDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'archive' && shown && <ArchiveDialog creative={shown} onClose={() => setDialog(undefined)} />}
    </Page>
  )
}

function ArchiveDialog({ creative: { creative_id, creative_code }, onClose }: { creative: Creative; onClose: () => void }) {
  const queries = useQueryClient()
  const archiving = useMutation({
    mutationFn: () => archiveCreative(creative_id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: creativeList.queryKey })
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Archive ${creative_code}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        No new line can name it; orders that do keep it. An archived creative cannot be restored.
      </Text>
      <FaultAlert error={archiving.error} title="The creative stays active" />
      <Button fullWidth mt="md" color="red.9" loading={archiving.isPending} onClick={() => archiving.mutate()}>
        Archive the creative
      </Button>
    </Modal>
  )
}

const COLUMNS: readonly Column<Creative>[] = [
  { id: 'code', title: 'Code', width: 160, grow: 1, cell: ({ creative_code }) => creative_code },
  { id: 'name', title: 'Name', width: 240, grow: 3, cell: ({ name }) => name },
  { id: 'length', title: 'Length', width: 72, align: 'right', cell: ({ length_seconds }) => `${length_seconds} s` },
  {
    id: 'status',
    title: 'Status',
    width: 120,
    cell: ({ status }) =>
      status === 'active' ? <Mark icon="check" tone="good" word="Active" /> : <Mark icon="ban" tone="quiet" word="Archived" />,
  },
  { id: 'id', title: 'Id', width: 240, grow: 1, cell: ({ creative_id }) => creative_id },
  { id: 'created', title: 'Created', width: 116, align: 'right', cell: ({ created_at }) => <Instant at={created_at} /> },
]

function creativesOf({ items }: { items: Creative[] }): Creative[] {
  return items
}

function creativeId({ creative_id }: Creative): string {
  return creative_id
}
