import { Alert, Button, Text } from '@mantine/core'

/** The order is no longer as it was when its user began; nothing is sent before that has been looked at. */
export function StaleNote({ onGoOn }: { onGoOn: () => void }) {
  return (
    <Alert
      color="orange"
      variant="outline"
      role="status"
      title="The order has changed since you began"
      styles={{ title: { color: 'var(--warn)' } }}
    >
      <Text size="sm" mb={4}>
        What you chose is kept. Look at the order again before you send it.
      </Text>
      <Button size="compact-sm" variant="default" onClick={onGoOn}>
        Go on with what it is now
      </Button>
    </Alert>
  )
}
