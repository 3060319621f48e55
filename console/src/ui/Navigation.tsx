import { Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { orderCounts } from '../api/queries/orders.ts'
import type { Session } from '../api/session.ts'
import { Icon, type IconName } from './icons.tsx'
import classes from './Shell.module.css'
import { useIsUtc, zoneName } from './zone.ts'

interface Place {
  readonly to:
    | '/ops'
    | '/settlement'
    | '/queue'
    | '/orders'
    | '/publish'
    | '/avails'
    | '/find'
    | '/basket'
    | '/webhooks'
    | '/files'
    | '/rules'
    | '/creatives'
    | '/relations'
    | '/profile'
    | '/cards'
  readonly key: string
  readonly title: string
  readonly icon: IconName
}

const ORDERS: Place = { to: '/orders', key: 'o', title: 'Orders', icon: 'list' }
const FIND: Place = { to: '/find', key: 'f', title: 'Find', icon: 'search' }
const BASKET: Place = { to: '/basket', key: 'b', title: 'Baskets', icon: 'basket' }
const CREATIVES: Place = { to: '/creatives', key: 'c', title: 'Creatives', icon: 'film' }
const RELATIONS: Place = { to: '/relations', key: 'l', title: 'Relations', icon: 'people' }
const PROFILE: Place = { to: '/profile', key: 'y', title: 'Profile', icon: 'badge' }
const WEBHOOKS: Place = { to: '/webhooks', key: 'w', title: 'Webhooks', icon: 'send' }
const SETTLEMENT: Place = { to: '/settlement', key: 's', title: 'Settlement', icon: 'receipt' }
const OPS: Place = { to: '/ops', key: 'x', title: 'Operations', icon: 'pulse' }
const QUEUE: Place = { to: '/queue', key: 'q', title: 'Queue', icon: 'inbox' }
const AVAILS: Place = { to: '/avails', key: 'a', title: 'Avails', icon: 'heatmap' }
const FILES: Place = { to: '/files', key: 'f', title: 'Files', icon: 'files' }
const RULES: Place = { to: '/rules', key: 'r', title: 'Rules', icon: 'rules' }
const CARDS: Place = { to: '/cards', key: 'c', title: 'Cards', icon: 'tag' }
const PUBLISH: Place = { to: '/publish', key: 'p', title: 'Publish', icon: 'upload' }

/** The places of each side, for the navigation, the `g` keys and the command list. */
export function placesOf(side: Session['side']): readonly Place[] {
  if (side === 'operator') return [OPS]
  return side === 'seller'
    ? [QUEUE, ORDERS, AVAILS, CARDS, PUBLISH, FILES, RULES, RELATIONS, SETTLEMENT, WEBHOOKS, PROFILE]
    : [FIND, BASKET, ORDERS, CREATIVES, RELATIONS, SETTLEMENT, WEBHOOKS, PROFILE]
}

interface NavigationProps {
  session: Session
  onKeys: () => void
  onSignOut: () => void
}

export function Navigation({ session, onKeys, onSignOut }: NavigationProps) {
  const { toggleColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const [isUtc, setUtc] = useIsUtc()
  return (
    <nav className={classes.bar} aria-label="Console">
      <div className={classes.who}>
        <Text size="sm" fw={600}>
          {session.entity}
        </Text>
        <Text size="xs" c="dimmed">
          {session.name}, {session.side}
        </Text>
      </div>
      <Places side={session.side} />
      <div className={classes.foot}>
        <a className={classes.place} href="/docs">
          <Icon name="book" />
          <span className={classes.label}>API reference</span>
        </a>
        <Control icon="keyboard" label="Keys" onClick={onKeys}>
          <kbd className={classes.count}>?</kbd>
        </Control>
        <Control
          icon="clock"
          label={`Times in ${zoneName(isUtc)}`}
          title={isUtc ? 'Show times of this computer' : 'Show times in UTC'}
          onClick={() => setUtc(!isUtc)}
        />
        <Control icon={isDark ? 'sun' : 'moon'} label={isDark ? 'Light' : 'Dark'} onClick={() => toggleColorScheme()} />
        <Control icon="leave" label="Sign out" onClick={onSignOut} />
      </div>
    </nav>
  )
}

/** The navigation. On a narrow screen it is one row that scrolls, with the current place in view. */
function Places({ side }: Pick<Session, 'side'>) {
  const row = useRef<HTMLDivElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { data: counts } = useQuery({ ...orderCounts('seller'), enabled: side === 'seller' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another place marked, and a count moves those after it
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path, counts])
  return (
    <div ref={row} className={classes.places}>
      {placesOf(side).map(({ to, title, icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.place}
          activeProps={{ className: `${classes.place} ${classes.here}`, 'aria-current': 'page' }}
        >
          <Icon name={icon} />
          {title}
          {to === '/queue' && <QueueCount />}
        </Link>
      ))}
    </div>
  )
}

/** Shows how many orders wait for the seller. */
function QueueCount() {
  const { data } = useQuery(orderCounts('seller'))
  const waiting = data?.waiting_on.seller ?? 0
  return waiting > 0 && <span className={classes.count}>{waiting}</span>
}

interface ControlProps {
  icon: IconName
  label: string
  title?: string
  onClick: () => void
  children?: ReactNode
}

function Control({ icon, label, title, onClick, children }: ControlProps) {
  return (
    <UnstyledButton
      className={classes.place}
      onClick={onClick}
      aria-label={title === undefined ? label : `${label}. ${title}`}
      title={title}
    >
      <Icon name={icon} />
      <span className={classes.label}>{label}</span>
      {children}
    </UnstyledButton>
  )
}
