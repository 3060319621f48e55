import { useMantineColorScheme } from '@mantine/core'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Session } from '../api/session.ts'
import { Icon } from './icons.tsx'
import { placesOf } from './Navigation.tsx'
import { useFound } from './useFound.ts'

const [store, spotlight] = createSpotlight()
export const openCommands = spotlight.open

const PLACEHOLDER = {
  buyer: 'A title, seller, network, order id, product or command',
  seller: 'A title, buyer, network, order id, product or command',
  operator: 'An order id or command',
} as const

/** Marks the first entry, unless one is marked. */
function markFirst(): void {
  const list = document.getElementById(store.getState().listId)
  if (list === null || list.querySelector('[data-selected]') !== null) return
  list.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

interface CommandsProps {
  session: Session
  onKeys: () => void
  onSignOut: () => void
}

/** Opens with `mod+K` or `/` and finds orders, products and partners by any words, and every command by name. */
export function Commands({ session, onKeys, onSignOut }: CommandsProps) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const found = useFound(session, query)
  const first = found[0]?.id
  // The first command is marked as words are typed; what is found comes later, and is marked if there is no command.
  useEffect(() => {
    if (first !== undefined) markFirst()
  }, [first])
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
      store={store}
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      filter={(typed, all) => [
        ...byId(typed),
        ...all.filter((one) => 'label' in one && one.label?.toLowerCase().includes(typed.trim().toLowerCase())),
        // Last, so that what is marked does not change when they come.
        ...found,
      ]}
      scrollable
      maxHeight={480}
      nothingFound="Nothing has these words."
      shortcut={null}
      searchProps={{ placeholder: PLACEHOLDER[session.side], 'aria-label': 'Search or command' }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
    />
  )
}
