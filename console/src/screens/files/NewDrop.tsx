import { Button, FileButton, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import type { DropFileType } from '../../api/queries/drops.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { Icon } from '../../ui/icons.tsx'
import { countText } from '../../ui/Money.tsx'
import classes from './Files.module.css'
import { FILE_TYPES, MANIFEST_FILE } from './fileTypes.ts'
import { type ChosenFile, type Upload, useUpload } from './useUpload.ts'

interface NewDropProps {
  opened: boolean
  onClose: () => void
  onRegistered: (dropId: string) => void
}

/** Sends the files and then a manifest that registers them, unless the user has chosen a manifest.json, which registers them itself. */
export function NewDrop({ opened, onClose, onRegistered }: NewDropProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title="New drop" closeButtonProps={{ 'aria-label': 'Close' }}>
      <DropForm onRegistered={onRegistered} />
    </Modal>
  )
}

function DropForm({ onRegistered }: Pick<NewDropProps, 'onRegistered'>) {
  const upload = useUpload(onRegistered)
  const isDown = useDownSince() !== undefined
  const [isOver, setOver] = useState(false)
  const { files, dropId } = upload
  const hasManifest = files.some(({ file }) => file.name === MANIFEST_FILE)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        upload.start()
      }}
    >
      <Stack gap="sm">
        <TextInput
          size="xs"
          label="Name of the drop"
          value={dropId}
          error={faultsAt(upload.error)('/drop_id').join(' ')}
          onChange={(event) => upload.setDropId(event.currentTarget.value)}
        />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first */}
        <div
          className={`${classes.target} ${isOver ? classes.over : ''}`}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            upload.add([...event.dataTransfer.files])
          }}
        >
          <FileButton multiple onChange={upload.add}>
            {(props) => (
              <Button size="xs" variant="default" {...props}>
                Choose files
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            or drop csv, xlsx, parquet or json files here
          </Text>
        </div>
        {files.length > 0 && <ChosenFiles upload={upload} isTyped={!hasManifest} />}
        {files.some(({ type }) => type === 'rate_cards') && !hasManifest && <Effective upload={upload} />}
        <FaultAlert error={upload.error} title="The drop is not sent" atFields={['/drop_id', '/files', '/effective']} />
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={files.length === 0 || dropId.trim() === '' || isDown} loading={upload.isSending}>
            {upload.error ? 'Send the rest' : `Send ${countText(files.length, 'file')}`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function ChosenFiles({ upload, isTyped }: { upload: Upload; isTyped: boolean }) {
  const faults = faultsAt(upload.error)
  return (
    <ul className={classes.chosen} aria-label="Files">
      {upload.files.map((chosen: ChosenFile, index) => {
        const { file, type, sha256, nameHere } = chosen
        return (
          <li key={file.name}>
            <span className={classes.name}>
              {file.name}
              {nameHere !== undefined && <span className={classes.dimmed}> in place of {nameHere}</span>}
            </span>
            <span className={classes.dimmed}>{Math.ceil(file.size / 1024).toLocaleString('en-US')} kB</span>
            {isTyped && (
              <NativeSelect
                size="xs"
                aria-label={`Type of ${file.name}`}
                value={type}
                error={faults(`/files/${index}`).join(' ')}
                data={[...FILE_TYPES]}
                onChange={(event) => upload.setType(file.name, event.currentTarget.value as DropFileType)}
              />
            )}
            {sha256 === undefined ? (
              <Button size="compact-xs" variant="default" aria-label={`Remove ${file.name}`} onClick={() => upload.remove(file.name)}>
                <Icon name="cross" size={12} />
              </Button>
            ) : (
              <span className={classes.good}>
                <Icon name="check" size={14} /> sent
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Effective({ upload }: { upload: Upload }) {
  const faults = faultsAt(upload.error)
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        size="xs"
        type="date"
        label="Rates from"
        value={upload.startDate}
        error={faults('/effective/start').join(' ')}
        onChange={(event) => upload.setStart(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        type="date"
        label="until"
        value={upload.endDate}
        error={faults('/effective/end').join(' ')}
        onChange={(event) => upload.setEnd(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        unless the file says it
      </Text>
    </Group>
  )
}
