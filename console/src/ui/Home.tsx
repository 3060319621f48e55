import { Anchor } from '@mantine/core'
import { type ErrorComponentProps, Link, Navigate } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { Empty } from './Empty.tsx'
import { FaultAlert } from './FaultAlert.tsx'
import { Page } from './Page.tsx'

/** Where each side begins: a seller with what waits for a decision, a buyer with the order book, an operator with what is stuck. */
export function Home() {
  const { side } = useSession()
  return <Navigate to={BEGINNINGS[side]} replace />
}

const BEGINNINGS = { seller: '/queue', buyer: '/orders', operator: '/ops' } as const

/** In place of a screen that does not exist. */
export function Missing() {
  return (
    <Page title="There is no such page">
      <Empty title="The address may be mistyped, or the page has moved">
        <Anchor component={Link} to="/">
          Go to the start
        </Anchor>
      </Empty>
    </Page>
  )
}

/** In place of a screen that could not be loaded or shown. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <Page title="This page cannot be shown">
      <FaultAlert error={error} title="Load it again; drafts are kept" retry={() => location.reload()} />
    </Page>
  )
}
