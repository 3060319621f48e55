import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Nothing to show, and what to do next. */
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
