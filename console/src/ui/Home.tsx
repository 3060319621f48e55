import { Anchor, Text, Title } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'

/** Where each side begins: a seller with what waits for a decision, a buyer with the order book, an operator with what is stuck. */
export function Home() {
  const { side } = useSession()
  return <Navigate to={BEGINNINGS[side]} replace />
}

const BEGINNINGS = { seller: '/queue', buyer: '/orders', operator: '/ops' } as const

export function Missing() {
  return (
    <main id="main" style={{ padding: 24 }}>
      <Title order={1}>There is no such page</Title>
      <Text my="sm">The address may be mistyped, or the page has moved.</Text>
      <Anchor component={Link} to="/">
        Go to the start
      </Anchor>
    </main>
  )
}
