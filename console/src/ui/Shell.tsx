import { Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useFeed } from '../api/feed.ts'
import { type Session, sessionRead } from '../api/session.ts'
import { Commands, openCommands } from './Commands.tsx'
import { FaultAlert } from './FaultAlert.tsx'
import { KeyMap } from './KeyMap.tsx'
import { useKeys } from './keys.ts'
import { Navigation, placesOf } from './Navigation.tsx'
import { OutageBanner } from './OutageBanner.tsx'
import classes from './Shell.module.css'
import { SignIn } from './SignIn.tsx'

/** Everything around a screen: sign-in, navigation, commands, key map and live updates. */
export function Shell() {
  const { data: session, error, refetch } = useQuery(sessionRead)
  const [last, setLast] = useState<Session>()
  useEffect(() => {
    if (session) setLast(session)
  }, [session])
  if (session === undefined && last === undefined) {
    return error ? <FaultAlert error={error} retry={() => void refetch()} /> : <Waiting />
  }
  if (session) return <Frame session={session} />
  return <SignIn last={last} />
}

function Waiting() {
  return (
    <Center h="100%">
      <Loader aria-label="Loading" />
    </Center>
  )
}

function Frame({ session }: { session: Session }) {
  const [isMapOpen, setMapOpen] = useState(false)
  const navigate = useNavigate()
  useFeed(`${session.side}:${session.entity}`)
  useKeys('Everywhere', [
    { keys: '?', does: 'Show the keys', run: () => setMapOpen(true) },
    { keys: 'mod+k', does: 'Commands', run: openCommands },
    ...placesOf(session.side).map(({ to, key, title }) => ({ keys: `g ${key}`, does: `Go to ${title}`, run: () => void navigate({ to }) })),
  ])
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <Navigation session={session} onKeys={() => setMapOpen(true)} />
      <div className={classes.page}>
        <OutageBanner />
        <Outlet />
      </div>
      <KeyMap opened={isMapOpen} onClose={() => setMapOpen(false)} />
      <Commands session={session} onKeys={() => setMapOpen(true)} />
    </div>
  )
}
