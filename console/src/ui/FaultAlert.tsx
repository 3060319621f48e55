import { Button, Code, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Fault } from '../api/fault.ts'
import { faultsByPointer, isBelow } from './fieldFaults.ts'
import { Notice } from './Notice.tsx'

interface FaultAlertProps {
  error: unknown
  title?: string
  retry?: (() => void) | undefined
  /** The pointers of the members whose faults stand at their fields, so that they are not said twice. */
  atFields?: readonly string[]
  children?: ReactNode
}

/** Shows the API's message, code and request id of a failure, each fault once. */
export function FaultAlert({ error, title, retry, atFields = [], children }: FaultAlertProps) {
  if (!error) return null
  const fault = error instanceof Fault ? error : undefined
  const all = faultsByPointer(error)
  const elsewhere = all.filter(({ pointer }) => atFields.some((above) => isBelow(pointer, above)))
  const isToldElsewhere = all.length > 0 && elsewhere.length === all.length
  const message = isToldElsewhere ? 'Correct what is marked.' : fault?.message
  const faults = (fault?.details.errors ?? []).filter(
    (one, index) => !elsewhere.includes(all[index] as (typeof all)[number]) && one.message !== message,
  )
  return (
    <Notice tone="bad" title={title ?? message ?? 'Something went wrong here.'}>
      {title !== undefined && fault !== undefined && <Text size="sm">{message}</Text>}
      {fault === undefined && <Text size="sm">{String(error)}</Text>}
      {faults.length > 0 && (
        <List size="sm">
          {faults.slice(0, 10).map(({ pointer, field, message }) => (
            <List.Item key={`${pointer}${field}${message}`}>
              {message} <Code>{pointer ?? field}</Code>
            </List.Item>
          ))}
        </List>
      )}
      {children}
      {fault !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {fault.code}
          {fault.requestId !== undefined && (
            <>
              {' · request '}
              <Code>{fault.requestId}</Code>
            </>
          )}
        </Text>
      )}
      {retry && (
        <Button size="compact-sm" variant="default" mt="xs" onClick={retry}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
