import { useMantineColorScheme } from '@mantine/core'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import type { Session } from '../api/session.ts'
import { Icon } from './icons.tsx'
import { placesOf } from './Navigation.tsx'

export const openCommands = spotlight.open

interface CommandsProps {
  session: Session
  onKeys: () => void
  onSignOut: () => void
}

/** Opens with `mod+K` and finds every command by name. Typing an order id leads to that order. */
export function Commands({ session, onKeys, onSignOut }: CommandsProps) {
  const navigate = useNavigate()
  const { toggleColorScheme } = useMantineColorScheme()
  const actions = [
    ...placesOf(session.side).map(({ to, title, icon }) => ({
      id: to,
      label: `Go to ${title}`,
      leftSection: <Icon name={icon} />,
      onClick: () => void navigate({ to }),
    })),
    { id: 'keys', label: 'Show the keys', leftSection: <Icon name="keyboard" />, onClick: onKeys },
    { id: 'scheme', label: 'Switch between light and dark', leftSection: <Icon name="moon" />, onClick: () => toggleColorScheme() },
    { id: 'docs', label: 'Open the API reference', leftSection: <Icon name="book" />, onClick: () => location.assign('/docs') },
    { id: 'sign-out', label: 'Sign out', leftSection: <Icon name="leave" />, onClick: onSignOut },
  ]
  const openOrder = (id: string) =>
    void (session.side === 'operator' ? navigate({ to: '/ops', search: { order: id } }) : navigate({ to: '/orders/$id', params: { id } }))
  const byId = (query: string) =>
    /^ord_\w+$/.test(query.trim())
      ? [
          {
            id: 'order',
            label: `Open order ${query.trim()}`,
            onClick: () => openOrder(query.trim()),
          },
        ]
      : []
  return (
    <Spotlight
      actions={actions}
      filter={(query, all) => [
        ...byId(query),
        ...all.filter((one) => 'label' in one && one.label?.toLowerCase().includes(query.trim().toLowerCase())),
      ]}
      nothingFound="Nothing has that name. An order id (ord_...) opens the order."
      shortcut={null}
      searchProps={{ placeholder: 'Command or order id', 'aria-label': 'Command or order id' }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
    />
  )
}
