import { NativeSelect } from '@mantine/core'
import classes from './Files.module.css'
import { type MappingDraft, numbered } from './mapping.ts'
import { OUR_COLUMNS } from './ourColumns.ts'

interface MappedColumnsProps {
  readonly draft: MappingDraft
  readonly set: (next: MappingDraft) => void
}

/** The first rows of a file under our columns: above each of its headings stands what it is. */
export function MappedColumns({ draft, set }: MappedColumnsProps) {
  const { headers, rows, ours, type } = draft
  const columns = numbered(headers)
  const choose = (at: number, one: string) => set({ ...draft, ours: ours.map((before, index) => (index === at ? one : before)) })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <section className={classes.mapped} aria-label="Columns" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ id, of: header, at }) => (
              <td key={id}>
                <NativeSelect
                  size="xs"
                  aria-label={`What ${header || `column ${at + 1}`} is`}
                  disabled={header === ''}
                  value={ours[at] ?? ''}
                  onChange={(event) => choose(at, event.currentTarget.value)}
                  data={[{ value: '', label: 'left out' }, ...OUR_COLUMNS[type]]}
                />
              </td>
            ))}
          </tr>
          <tr>
            {columns.map(({ id, of: header }) => (
              <th key={id} scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbered(rows).map(({ id, of: row }) => (
            <tr key={id}>
              {columns.map(({ id: column, at }) => (
                <td key={column}>{row[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
