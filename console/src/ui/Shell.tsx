import { Button, Center, Loader } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useFeed } from '../api/feed.ts'
import { lastSession, type Session, SessionContext, sessionRead, tenantOf, useOtherTabs, useSignOut } from '../api/session.ts'
import { discard, flush, useSendings } from '../order/outbox.ts'
import { Commands, openCommands } from './Commands.tsx'
import { FaultAlert } from './FaultAlert.tsx'
import { KeyMap } from './KeyMap.tsx'
import { useKeys } from './keys.ts'
import { Navigation, placesOf } from './Navigation.tsx'
import { OutageBanner } from './OutageBanner.tsx'
import classes from './Shell.module.css'
import { SignIn } from './SignIn.tsx'

const OutboxBar = lazy(async () => ({ default: (await import('../order/OutboxBar.tsx')).OutboxBar }))

/** The frame around a screen: sign-in, navigation, commands, key map and live updates. */
export function Shell() {
  const { data: session, error, refetch } = useQuery(sessionRead)
  const { data: last } = useQuery(lastSession)
  const [other, setOther] = useState<Session>()
  const forgetOther = useCallback(() => setOther(undefined), [])
  useOtherTabs(setOther)
  const shown = session ?? last
  if (!shown) {
    if (session === null) return <SignIn last={undefined} onSignIn={forgetOther} />
    return error ? <FaultAlert error={error} retry={() => void refetch()} /> : <Waiting />
  }
  return (
    <SessionContext value={shown}>
      <div className={classes.under} inert={session === null}>
        <Frame key={tenantOf(shown)} session={shown} note={other && <OtherTabNote session={other} onClose={forgetOther} />} />
      </div>
      {session === null && <SignIn last={shown} onSignIn={forgetOther} />}
    </SessionContext>
  )
}

/** What is being sent, on every page. What one person has decided is never sent in the name of another. */
function Outbox({ session }: { session: Session }) {
  const sendings = useSendings()
  const person = `${tenantOf(session)} ${session.name}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: for another person
  useEffect(() => discard, [person])
  if (sendings.length === 0) return null
  return (
    <Suspense>
      <OutboxBar sendings={sendings} />
    </Suspense>
  )
}

function Waiting() {
  return (
    <Center h="100%">
      <Loader aria-label="Loading" />
    </Center>
  )
}

function Frame({ session, note }: { session: Session; note: ReactNode }) {
  const [isMapOpen, setMapOpen] = useState(false)
  const leave = useSignOut()
  const leaving = useMutation({
    mutationFn: async () => {
      await flush()
      await leave()
    },
  })
  const signOut = () => leaving.mutate()
  const navigate = useNavigate()
  useFeed(session.side === 'operator' ? undefined : tenantOf(session), session.csrf)
  useKeys(
    'Everywhere',
    [
      { keys: '?', does: 'Show the keys', run: () => setMapOpen(true) },
      { keys: 'mod+k', does: 'Search, and commands', run: openCommands },
      { keys: '/', does: 'Search', run: openCommands },
      ...placesOf(session.side).map(({ to, key, title }) => ({
        keys: `g ${key}`,
        does: `Go to ${title}`,
        run: () => void navigate({ to }),
      })),
    ],
    true,
  )
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <Navigation session={session} onKeys={() => setMapOpen(true)} onSignOut={signOut} />
      <div className={classes.page}>
        <OutageBanner />
        <Outbox session={session} />
        {note}
        <FaultAlert error={leaving.error} title="You are not signed out" retry={signOut} />
        <Outlet />
      </div>
      <KeyMap opened={isMapOpen} isSeller={session.side === 'seller'} onClose={() => setMapOpen(false)} />
      <Commands session={session} onKeys={() => setMapOpen(true)} onSignOut={signOut} />
    </div>
  )
}

/** Warns that another tab has signed in as somebody else, since this tab then acts as that user too. */
function OtherTabNote({ session, onClose }: { session: Session; onClose: () => void }) {
  return (
    <div className={classes.note} role="status">
      Another tab has signed in as {session.name} of {session.entity}. This tab is now theirs.{' '}
      <Button size="compact-xs" variant="default" onClick={onClose}>
        Understood
      </Button>
    </div>
  )
}
