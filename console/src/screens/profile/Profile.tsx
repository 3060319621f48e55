import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { capabilitiesRead } from '../../api/queries/profile.ts'
import { type Session, useSession } from '../../api/session.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { Audit } from './Audit.tsx'
import classes from './Profile.module.css'
import { ProfileForm } from './ProfileForm.tsx'

const route = getRouteApi('/profile')

/** A tenant's profile: a seller's declared capabilities, a buyer's session, and for both the log of changes. */
export function Profile() {
  const session = useSession()
  const { show } = route.useSearch()
  const navigate = useNavigate()
  return (
    <Page
      title="Profile"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Show"
          value={show ?? 'profile'}
          onChange={(value) => void navigate({ to: '/profile', search: value === 'audit' ? { show: 'audit' } : {}, replace: true })}
          data={[
            { value: 'profile', label: 'Profile' },
            { value: 'audit', label: 'Audit log' },
          ]}
        />
      }
    >
      {show === 'audit' ? <Audit /> : session.side === 'seller' ? <Capabilities /> : <Tenant session={session} />}
    </Page>
  )
}

function Capabilities() {
  const { data, error, isPending, refetch } = useQuery(capabilitiesRead)
  return (
    <>
      <FaultAlert error={data === undefined ? error : null} retry={() => void refetch()} />
      {isPending && <Loading />}
      {data && <ProfileForm read={data} />}
    </>
  )
}

function Tenant({ session: { entity, side, name, mode, scopes, expires_at } }: { session: Session }) {
  return (
    <dl className={classes.facts}>
      <dt>Tenant</dt>
      <dd>{entity}</dd>
      <dt>Side</dt>
      <dd>{side}</dd>
      <dt>You</dt>
      <dd>{name}</dd>
      <dt>Marketplace</dt>
      <dd>{mode}</dd>
      <dt>You may</dt>
      <dd>{scopes.join(', ')}</dd>
      <dt>Signed in until</dt>
      <dd>
        <Instant at={expires_at} />
      </dd>
    </dl>
  )
}
