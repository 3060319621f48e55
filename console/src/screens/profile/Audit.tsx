import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { usePages } from '../../api/pages.ts'
import type { Side } from '../../api/queries/orders.ts'
import { type AuditEntry, auditList } from '../../api/queries/profile.ts'
import { useSession } from '../../api/session.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { changesText } from './profileTexts.ts'

const route = getRouteApi('/profile')

/** Lists changes to the tenant with their authors, newest first. */
export function Audit() {
  const side = useSession().side as Side
  const { active } = route.useSearch()
  const navigate = useNavigate()
  const { rows, list, more } = usePages(auditList(side), entriesOf)
  const ids = rows.map(entryId)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const set = (id: string | undefined) =>
    id !== undefined && void navigate({ to: '/profile', search: { show: 'audit', active: id }, replace: true })
  const move = (step: number) => set(neighbor(ids, current, step))
  useKeys('Audit log', [
    { keys: 'j', does: 'Next entry', run: () => move(1) },
    { keys: 'k', does: 'Previous entry', run: () => move(-1) },
    { keys: 'ArrowDown', does: 'Next entry', run: () => move(1) },
    { keys: 'ArrowUp', does: 'Previous entry', run: () => move(-1) },
  ])
  if (list.isPending) return <Loading />
  if (rows.length === 0 && list.error) return <ListFault list={list} isEmpty />
  if (rows.length === 0) return <Empty title="Nothing has changed yet">Changes of tokens, rules, agreements and endpoints show here.</Empty>
  return (
    <>
      <ListFault list={list} isEmpty={false} />
      <Grid<AuditEntry> label="Audit log" columns={COLUMNS} rows={rows} rowId={entryId} active={current} onActive={set} onEnd={more} />
    </>
  )
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'at', title: 'When', width: 116, cell: ({ occurred_at }) => <Instant at={occurred_at} /> },
  {
    id: 'action',
    title: 'What',
    width: 190,
    grow: 1,
    cell: ({ action, times }) => `${actionText(action)}${times > 1 ? `, ${times} times` : ''}`,
  },
  { id: 'target', title: 'Of', width: 150, grow: 1, cell: ({ target }) => target ?? '' },
  { id: 'changes', title: 'Change', width: 200, grow: 3, cell: (entry) => <span title={changesText(entry)}>{changesText(entry)}</span> },
  { id: 'who', title: 'By', width: 150, grow: 1, cell: whoText },
  { id: 'via', title: 'Via', width: 104, cell: ({ via }) => via.replaceAll('_', ' ') },
  { id: 'from', title: 'From', width: 110, cell: ({ source_ip }) => source_ip ?? '' },
]

/** Writes `capabilities.changed` as `capabilities changed`. */
function actionText(action: string): string {
  return action.replaceAll(/[._]/g, ' ')
}

function whoText({ person, last_four }: AuditEntry): string {
  if (person !== null) return person
  return last_four === null ? '' : `token ...${last_four}`
}

function entriesOf({ items }: { items: AuditEntry[] }): AuditEntry[] {
  return items
}

function entryId({ event_id }: AuditEntry): string {
  return event_id
}
