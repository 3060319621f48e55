import { Skeleton, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'

const AFTER_MS = 150

/** Shows gray rows once loading takes long enough to be noticed. */
export function Loading() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label="Loading">
      {isShown && (
        <Stack p="md" gap={10}>
          {[92, 76, 84, 60, 88, 70].map((width) => (
            <Skeleton key={width} height={20} width={`${width}%`} />
          ))}
        </Stack>
      )}
    </div>
  )
}
