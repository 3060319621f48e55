import { Anchor } from '@mantine/core'
import { type ErrorComponentProps, Link, Navigate } from '@tanstack/react-router'
import { useSession } from '../api/session.ts'
import { Empty } from './Empty.tsx'
import { FaultAlert } from './FaultAlert.tsx'
import { Page } from './Page.tsx'

/** Opens each side's first screen: a seller's queue, a buyer's order book, or an operator's list of stuck orders. */
export function Home() {
  const { side } = useSession()
  return <Navigate to={BEGINNINGS[side]} replace />
}

const BEGINNINGS = { seller: '/queue', buyer: '/orders', operator: '/ops' } as const

/** Shown instead of a screen that does not exist. */
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

/** Shown instead of a screen that could not be loaded or rendered. */
export function Broken({ error }: ErrorComponentProps) {
  return (
    <Page title="This page cannot be shown">
      <FaultAlert error={error} title="Load it again; drafts are kept" retry={() => location.reload()} />
    </Page>
  )
}
