import { FileButton } from '@mantine/core'
import { Icon } from '../../ui/icons.tsx'
import { countText } from '../../ui/Money.tsx'
import { MenuItem, Popup } from '../../ui/Popup.tsx'
import type { SheetState } from './useSheet.ts'

/** The actions on the rows. */
export function Controls({ sheet }: { sheet: SheetState }) {
  const isEmpty = sheet.draft.rows.length === 0
  return (
    <OpenFile sheet={sheet}>
      {(open) => (
        <Popup role="menu" label="Rows" button="Rows" rightSection={<Icon name="next" size={12} />}>
          <MenuItem onClick={sheet.addRow}>Add a row</MenuItem>
          <MenuItem onClick={sheet.removeRows} disabled={sheet.chosen === 0}>
            {sheet.chosen > 1 ? `Remove ${countText(sheet.chosen, 'row')}` : 'Remove the row'}
          </MenuItem>
          <MenuItem onClick={sheet.undo}>Undo</MenuItem>
          <MenuItem onClick={open}>Add rows of a file</MenuItem>
          <MenuItem onClick={sheet.clear} disabled={isEmpty}>
            Remove all rows
          </MenuItem>
        </Popup>
      )}
    </OpenFile>
  )
}

/** Reads a file that a spreadsheet saved: CSV, or cells separated by tabs. */
export function OpenFile({ sheet, children }: { sheet: SheetState; children: (open: () => void) => React.ReactNode }) {
  return (
    <FileButton accept=".csv,.tsv,.txt" onChange={(file) => void file?.text().then(sheet.append)}>
      {({ onClick }) => children(onClick)}
    </FileButton>
  )
}
