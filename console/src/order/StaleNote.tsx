import { Button, Text } from '@mantine/core'
import { Notice } from '../ui/Notice.tsx'

/** The order is no longer as it was when its user began; nothing is sent before that has been looked at. */
export function StaleNote({ onGoOn }: { onGoOn: () => void }) {
  return (
    <Notice role="status" title="The order has changed since you began">
      <Text size="sm" mb={4}>
        What you chose is kept. Look at the order again before you send it.
      </Text>
      <Button size="compact-sm" variant="default" onClick={onGoOn}>
        Go on with what it is now
      </Button>
    </Notice>
  )
}
