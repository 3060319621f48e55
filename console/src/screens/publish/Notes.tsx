import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { shownKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { OpenFile } from './Controls.tsx'
import type { Kind } from './kinds.ts'
import type { Load } from './useLoad.ts'
import type { Published } from './usePublish.ts'
import type { SheetState } from './useSheet.ts'

/** Shown for an empty sheet, which accepts a paste anywhere on the page. */
export function NothingYet({ kind, sheet, load }: { kind: Kind; sheet: SheetState; load: Load }) {
  const paste = useRef(sheet.paste)
  paste.current = sheet.paste
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
      event.preventDefault()
      paste.current(event.clipboardData?.getData('text/plain') ?? '')
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [])
  return (
    <Empty title={`Paste ${kind.title.toLowerCase()} from a spreadsheet`}>
      <Text size="sm">
        Copy the rows with their header and press {shownKeys('mod+v').join(' ')} here. A header names columns as the grid does, in any
        order:{' '}
        {kind.columns
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}
        .
      </Text>
      <Group justify="center" mt="md" gap="xs">
        <OpenFile sheet={sheet}>
          {(open) => (
            <Button size="xs" variant="default" onClick={open}>
              Open a file
            </Button>
          )}
        </OpenFile>
        <Button size="xs" variant="default" onClick={sheet.addRow}>
          Type a row
        </Button>
        {kind.id === 'rates' ? (
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/cards" {...props} />}>
            Start from a card
          </Button>
        ) : (
          <Button size="xs" variant="default" loading={load.isLoading} onClick={load.load}>
            Start from what is published
          </Button>
        )}
      </Group>
    </Empty>
  )
}

/** Asks before loaded rows replace a draft. */
export function LoadQuestion({ load }: { load: Load }) {
  return (
    <>
      <FaultAlert error={load.error} retry={load.load} />
      {load.asks !== undefined && (
        <Notice title={`Replace your draft by the rows of ${load.asks}?`}>
          <Group gap="xs">
            <Button size="compact-sm" onClick={load.load} loading={load.isLoading}>
              Replace the draft
            </Button>
            <Button size="compact-sm" variant="default" onClick={load.decline}>
              Keep it
            </Button>
          </Group>
        </Notice>
      )}
    </>
  )
}

export function PublishedNote({ kind, published, onClose }: { kind: Kind; published: Published | undefined; onClose: () => void }) {
  if (published === undefined) return null
  const { reply, head } = published
  return (
    <Notice tone="good" role="status" onClose={onClose} title={`Published ${countText(reply.accepted, 'row')}`}>
      {reply.rejected > 0 && <Text size="sm">{countText(reply.rejected, 'row')} had faults and stayed here.</Text>}
      {kind.id === 'rates' && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/cards/$commit" params={{ commit: head.commit ?? '' }} {...props} />}>
          What {head.commit} changes
        </Anchor>
      )}
      {kind.id === 'avails' && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/avails" {...props} />}>
          Avails by week
        </Anchor>
      )}
    </Notice>
  )
}
