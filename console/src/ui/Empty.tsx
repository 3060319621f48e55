import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Shown in place of an empty list, with the next step for the user. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center h="60%" p="xl">
      <Stack gap={4} align="center" maw={420}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" ta="center" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  )
}
