import { Button, FileButton, Menu } from '@mantine/core'
import { Icon } from '../../ui/icons.tsx'
import { countText } from '../../ui/Money.tsx'
import type { SheetState } from './useSheet.ts'

/** What can be done to the rows. */
export function Controls({ sheet }: { sheet: SheetState }) {
  const isEmpty = sheet.draft.rows.length === 0
  return (
    <Menu position="bottom-start" withinPortal={false}>
      <Menu.Target>
        <Button size="xs" variant="default" rightSection={<Icon name="next" size={12} />}>
          Rows
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={sheet.addRow}>Add a row</Menu.Item>
        <Menu.Item onClick={sheet.removeRows} disabled={sheet.chosen === 0}>
          {sheet.chosen > 1 ? `Remove ${countText(sheet.chosen, 'row')}` : 'Remove the row'}
        </Menu.Item>
        <Menu.Item onClick={sheet.undo}>Undo</Menu.Item>
        <OpenFile sheet={sheet}>{(open) => <Menu.Item onClick={open}>Add rows of a file</Menu.Item>}</OpenFile>
        <Menu.Item onClick={sheet.clear} disabled={isEmpty}>
          Remove all rows
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** A CSV or a file of cells between tabs, as spreadsheets save them. */
export function OpenFile({ sheet, children }: { sheet: SheetState; children: (open: () => void) => React.ReactNode }) {
  return (
    <FileButton accept=".csv,.tsv,.txt" onChange={(file) => void file?.text().then(sheet.append)}>
      {({ onClick }) => children(onClick)}
    </FileButton>
  )
}
