import { Button, Text } from '@mantine/core'
import type { Decide } from '../api/queries/orders.ts'
import { Notice } from '../ui/Notice.tsx'
import { WhoWasFaster } from './ConflictNote.tsx'

interface StaleNoteProps {
  readonly orderId: string
  readonly meant?: Decide['decision'] | undefined
  readonly onContinue: () => void
}

/** Warns that the order has changed since the user began; nothing is sent until the user has seen the change. */
export function StaleNote({ orderId, meant, onContinue }: StaleNoteProps) {
  return (
    <Notice role="status" title="The order has changed since you began">
      <Text size="sm" mb={4}>
        <WhoWasFaster orderId={orderId} meant={meant} />. What you chose is kept. Look at the order again before you send it.
      </Text>
      <Button size="compact-sm" variant="default" onClick={onContinue}>
        Continue with the order as it is now
      </Button>
    </Notice>
  )
}
