import { Button, CloseButton, FileButton, NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type FileFormat, uploadFile } from '../../api/queries/uploads.ts'
import type { Attachment, Basket } from '../../basket/basket.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Icon } from '../../ui/icons.tsx'
import classes from './Basket.module.css'
import { attachKey } from './cells.ts'

interface AttachmentsProps {
  seller: string
  basket: Basket
  put: (next: Basket) => void
  /** Adds a file to the latest state of the basket. */
  add: (attachment: Attachment) => void
  faults: readonly string[]
  isLocked: boolean
}

/** The files attached to the order. */
export function Attachments({ seller, basket, put, add, faults, isLocked }: AttachmentsProps) {
  const [role, setRole] = useState<Attachment['role']>('buysheet')
  const isDown = useDownSince() !== undefined
  const { attachments } = basket
  const uploading = useMutation({
    mutationKey: attachKey(seller),
    mutationFn: async ({ file, role: as }: { file: File; role: Attachment['role'] }): Promise<Attachment> => {
      const format = formatOf(file.name)
      if (format === undefined) throw new Error(`${file.name} is not a PDF, XLSX or CSV file.`)
      return { ...(await uploadFile(file, format)), role: as }
    },
    onSuccess: add,
  })
  return (
    <section className={classes.attachments} aria-label="Attachments">
      <h2>Attachments</h2>
      <ul>
        {attachments.map(({ upload_id, filename, role: as }) => (
          <li key={upload_id}>
            <Icon name="clip" size={14} /> {filename} <span className={classes.about}>{roleText(as)}</span>
            <CloseButton
              size="sm"
              aria-label={`Remove ${filename}`}
              disabled={isLocked}
              onClick={() => put({ ...basket, attachments: attachments.filter((one) => one.upload_id !== upload_id) })}
            />
          </li>
        ))}
      </ul>
      <div className={classes.upload}>
        <NativeSelect
          size="xs"
          aria-label="Kind of file"
          value={role}
          disabled={isLocked}
          onChange={(event) => setRole(event.currentTarget.value as Attachment['role'])}
          data={ROLES.map((value) => ({ value, label: roleText(value) }))}
        />
        <FileButton accept=".pdf,.xlsx,.csv" disabled={isLocked || isDown} onChange={(file) => file && uploading.mutate({ file, role })}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={uploading.isPending}>
              Attach a PDF, XLSX or CSV
            </Button>
          )}
        </FileButton>
      </div>
      {faults.map((message) => (
        <span key={message} className={classes.fault}>
          {message}
        </span>
      ))}
      <FaultAlert error={uploading.error} title="The file is not attached" />
    </section>
  )
}

const ROLES = ['buysheet', 'traffic_instructions', 'makegood_notice', 'other'] as const

function roleText(role: string): string {
  return role.replaceAll('_', ' ')
}

function formatOf(name: string): FileFormat | undefined {
  const end = name.split('.').at(-1)?.toLowerCase()
  return (['pdf', 'xlsx', 'csv'] as const).find((format) => format === end)
}
