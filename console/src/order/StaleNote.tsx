import { Button, Text } from '@mantine/core'
import { Notice } from '../ui/Notice.tsx'

/** Warns that the order has changed since the user began; nothing is sent until the user has seen the change. */
export function StaleNote({ onContinue }: { onContinue: () => void }) {
  return (
    <Notice role="status" title="The order has changed since you began">
      <Text size="sm" mb={4}>
        What you chose is kept. Look at the order again before you send it.
      </Text>
      <Button size="compact-sm" variant="default" onClick={onContinue}>
        Continue with the order as it is now
      </Button>
    </Notice>
  )
}
