import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type DropResult, dropRead, isJustSent } from '../../api/queries/drops.ts'
import { download } from '../../ui/csv.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type Column, Grid } from '../../ui/Grid.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { countText } from '../../ui/Money.tsx'
import { DropMark } from './DropMark.tsx'
import classes from './Files.module.css'
import { errorsCsv, FILE_TYPES, progressText, valueText } from './fileTypes.ts'

/** Shows one drop: how much was written of each type, and each rejected row with its reason. */
export function DropDetail({ dropId, onMap }: { dropId: string; onMap: () => void }) {
  const { data: result, error, isPending, refetch } = useQuery(dropRead(dropId))
  if (isPending && !error) return <Loading />
  if (result === undefined && isJustSent(dropId)) return <Text size="sm">The files were sent; the manifest has not been read yet.</Text>
  if (result === undefined) return <FaultAlert error={error} retry={() => void refetch()} />
  const { registered_at, ended_at, replay_of, errors, warnings } = result
  return (
    <>
      <div className={classes.about}>
        <Title order={2}>{dropId}</Title>
        <DropMark drop={result} detail={ended_at === null ? progressText(result) : undefined} />
        <Text size="sm" c="dimmed">
          registered <Instant at={registered_at} />
          {ended_at !== null && (
            <>
              , ended <Instant at={ended_at} />
            </>
          )}
        </Text>
        {replay_of !== undefined && <Text size="sm">The same files as {replay_of}, whose result this is.</Text>}
      </div>
      <Counts result={result} />
      <div className={classes.actions}>
        <Button
          size="xs"
          variant="default"
          onClick={() => download(`${dropId}-errors.csv`, errorsCsv(result))}
          disabled={errors.length === 0}
        >
          Errors as CSV
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={ended_at === null}
          onClick={() => download(`${dropId}-result.json`, JSON.stringify(result, null, 2), 'application/json')}
        >
          Result as JSON
        </Button>
      </div>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      {errors.some(({ error_code }) => error_code === 'INVALID_HEADER') && (
        <Text size="sm" className={classes.note}>
          The columns of a file have other names than ours.{' '}
          <Button size="compact-xs" variant="default" onClick={onMap}>
            Say once which is which
          </Button>
        </Text>
      )}
      {errors.length > 0 && <Errors result={result} />}
      {ended_at !== null && errors.length === 0 && <Text className={classes.note}>Nothing was refused.</Text>}
    </>
  )
}

function Counts({ result }: { result: DropResult }) {
  const shown = FILE_TYPES.flatMap(({ value, label }) => {
    const counts = result.counts[value]
    return counts === undefined ? [] : [{ label, ...counts }]
  })
  const hasDelivery = result.counts.delivery_posts !== undefined
  if (shown.length === 0) return null
  return (
    <table className={classes.counts}>
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">Written</th>
          <th scope="col">Refused</th>
          {hasDelivery && <th scope="col">Without an order</th>}
          {hasDelivery && <th scope="col">Says nothing yet</th>}
        </tr>
      </thead>
      <tbody>
        {shown.map(({ label, rows_written, rows_rejected, rows_unattached, rows_undecided }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{rows_written.toLocaleString('en-US')}</td>
            <td className={rows_rejected > 0 ? classes.bad : undefined}>{rows_rejected.toLocaleString('en-US')}</td>
            {hasDelivery && <td>{rows_unattached?.toLocaleString('en-US') ?? ''}</td>}
            {hasDelivery && <td>{rows_undecided?.toLocaleString('en-US') ?? ''}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DropError = DropResult['errors'][number]
interface ErrorRow extends DropError {
  readonly id: string
}

function Errors({ result: { errors, errors_truncated } }: { result: DropResult }) {
  const [active, setActive] = useState<string>()
  const rows = errors.map((error, index): ErrorRow => ({ ...error, id: String(index) }))
  return (
    <div className={classes.errors}>
      <Text size="sm" fw={600} className={classes.bad}>
        {countText(errors.length, 'error')}
        {errors_truncated && ', the first of more'}
      </Text>
      <Grid<ErrorRow> label="Errors" columns={ERROR_COLUMNS} rows={rows} rowId={({ id }) => id} active={active} onActive={setActive} />
    </div>
  )
}

const ERROR_COLUMNS: readonly Column<ErrorRow>[] = [
  { id: 'file', title: 'File', width: 110, cell: ({ file }) => file },
  { id: 'row', title: 'Row', width: 56, align: 'right', cell: ({ row }) => (row === 0 ? 'whole' : row) },
  { id: 'field', title: 'Field', width: 120, cell: ({ field }) => field },
  { id: 'value', title: 'Value', width: 90, cell: ({ value }) => valueText(value) },
  { id: 'message', title: 'What is wrong', width: 260, grow: 1, cell: ({ message }) => <span title={message}>{message}</span> },
]

function Warnings({ warnings }: { warnings: DropResult['warnings'] }) {
  return (
    <details className={classes.warnings}>
      <summary>{countText(warnings.length, 'warning')}</summary>
      <ul>
        {warnings.slice(0, 50).map(({ file, row, code, message }) => (
          <li key={`${file}${row}${code}${message}`}>
            {file} row {row}: {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
