import { Button, Code, List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Fault } from '../api/fault.ts'
import { Notice } from './Notice.tsx'

interface FaultAlertProps {
  error: unknown
  title?: string
  retry?: (() => void) | undefined
  children?: ReactNode
}

/** Shows the API's message, code and request id of a failure. */
export function FaultAlert({ error, title, retry, children }: FaultAlertProps) {
  if (!error) return null
  const fault = error instanceof Fault ? error : undefined
  const faults = fault?.details.errors ?? []
  return (
    <Notice tone="bad" title={title ?? fault?.message ?? 'Something went wrong here.'}>
      {title !== undefined && fault !== undefined && <Text size="sm">{fault.message}</Text>}
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
