import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Endpoint, registerEndpoint } from '../../api/queries/webhooks.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { Secret } from '../../ui/Secret.tsx'
import { statusWord } from '../../ui/Status.tsx'

type EventType = NonNullable<Endpoint['events']>[number]
type OrderStatus = NonNullable<Endpoint['statuses']>[number]

/** Registers an endpoint, and shows its secret once. */
export function RegisterDialog({ onClose, onRegistered }: { onClose: () => void; onRegistered: (id: string) => void }) {
  const queries = useQueryClient()
  const [url, setUrl] = useState('https://')
  const [events, setEvents] = useState<string[]>([])
  const [statuses, setStatuses] = useState<string[]>([])
  const registering = useMutation({
    mutationFn: () =>
      registerEndpoint({
        url: url.trim(),
        ...(events.length > 0 && { events: events as EventType[] }),
        ...(statuses.length > 0 && { statuses: statuses as OrderStatus[] }),
      }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const created = registering.data
  if (created !== undefined)
    return <Secret title="The signing secret" secret={created.secret} onClose={() => onRegistered(created.endpoint_id)} />
  const submit = (event: FormEvent) => {
    event.preventDefault()
    registering.mutate()
  }
  const ofUrl = faultsAt(registering.error)('/url').join(' ')
  return (
    <Modal opened onClose={onClose} title="Register an endpoint" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <TextInput
          label="Address"
          description="Events are posted there, signed with a secret that you see next."
          value={url}
          error={ofUrl}
          onChange={(event) => setUrl(event.currentTarget.value)}
          data-autofocus
          mb="md"
        />
        <Checkbox.Group label="Events" description="None chosen: all that you may read." value={events} onChange={setEvents} mb="md">
          <Group gap="xs" mt="xs">
            {EVENTS.map((event) => (
              <Checkbox key={event} size="xs" value={event} label={event} />
            ))}
          </Group>
        </Checkbox.Group>
        <Checkbox.Group label="Order statuses" description="None chosen: every status." value={statuses} onChange={setStatuses} mb="md">
          <Group gap="xs" mt="xs">
            {STATUSES.map((status) => (
              <Checkbox key={status} size="xs" value={status} label={statusWord(status)} />
            ))}
          </Group>
        </Checkbox.Group>
        {ofUrl === '' && <FaultAlert error={registering.error} title="The endpoint is not registered" />}
        <Button type="submit" fullWidth mt="md" loading={registering.isPending}>
          Register the endpoint
        </Button>
      </form>
    </Modal>
  )
}

const EVENTS: readonly EventType[] = [
  'order.status_changed',
  'catalog.rate_card_published',
  'catalog.window_opened',
  'catalog.avails_answered',
  'catalog.integrity_failed',
  'settlement.invoice_issued',
]

const STATUSES: readonly OrderStatus[] = [
  'submitted',
  'validating',
  'needs_confirmation',
  'confirmed',
  'seller_review',
  'negotiating',
  'placed',
  'canceled',
  'rejected',
  'failed',
]
