import { Button, Modal, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { serverNow } from '../../api/clock.ts'
import { useDownSince } from '../../api/health.ts'
import { deleteEndpoint, type Endpoint, enableEndpoint, resendDropped, rotateSecret, sendTest } from '../../api/queries/webhooks.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText } from '../../ui/Money.tsx'
import { Secret } from '../../ui/Secret.tsx'

type Act = 'rotate' | 'resend' | 'delete'

/** The actions on an endpoint; an action that cannot be undone asks first. */
export function EndpointActions({ endpoint: { endpoint_id: id, status } }: { endpoint: Endpoint }) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const [act, setAct] = useState<Act>()
  const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] })
  const testing = useMutation({ mutationFn: () => sendTest(id), onSettled: refresh })
  const enabling = useMutation({ mutationFn: () => enableEndpoint(id), onSettled: refresh })
  const test = () => {
    if (!isDown && status === 'active' && !testing.isPending) testing.mutate()
  }
  useKeys('Webhook', [{ keys: 't', does: 'Send a test event', run: test }])
  const failure = testing.error ?? enabling.error
  return (
    <>
      <Button size="xs" variant="default" disabled={isDown} onClick={() => setAct('delete')}>
        Delete
      </Button>
      <Button size="xs" variant="default" disabled={isDown} onClick={() => setAct('rotate')}>
        Rotate the secret
      </Button>
      <Button size="xs" variant="default" disabled={isDown} onClick={() => setAct('resend')}>
        Resend what was dropped
      </Button>
      {status === 'active' ? (
        <Button size="xs" disabled={isDown} loading={testing.isPending} onClick={test}>
          Send a test event
        </Button>
      ) : (
        <Button size="xs" disabled={isDown} loading={enabling.isPending} onClick={() => enabling.mutate()}>
          Enable
        </Button>
      )}
      {failure && (
        <Modal
          opened
          title="Nothing was sent"
          closeButtonProps={{ 'aria-label': 'Close' }}
          onClose={() => {
            testing.reset()
            enabling.reset()
          }}
        >
          <FaultAlert error={failure} />
        </Modal>
      )}
      {act === 'rotate' && <RotateDialog id={id} onClose={() => setAct(undefined)} />}
      {act === 'resend' && <ResendDialog id={id} onClose={() => setAct(undefined)} />}
      {act === 'delete' && <DeleteDialog id={id} onClose={() => setAct(undefined)} />}
    </>
  )
}

interface DialogProps {
  id: string
  onClose: () => void
}

function RotateDialog({ id, onClose }: DialogProps) {
  const rotating = useMutation({ mutationFn: () => rotateSecret(id) })
  const { data } = rotating
  if (data !== undefined) {
    return (
      <Secret title="The new signing secret" secret={data.secret} onClose={onClose}>
        <Text size="sm" mb="sm">
          The old secret also signs until <Instant at={data.previous_secret_valid_until} />.
        </Text>
      </Secret>
    )
  }
  return (
    <Modal opened onClose={onClose} title="Rotate the secret" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        Events are signed with a new secret from now on, and with the present one too for 24 hours. You see the new one once.
      </Text>
      <FaultAlert error={rotating.error} title="The secret stays as it is" />
      <Button fullWidth mt="md" loading={rotating.isPending} onClick={() => rotating.mutate()} data-autofocus>
        Rotate the secret
      </Button>
    </Modal>
  )
}

const DAY_MS = 86_400_000
const KEPT_DAYS = 30

function ResendDialog({ id, onClose }: DialogProps) {
  const queries = useQueryClient()
  const resending = useMutation({
    mutationFn: () => resendDropped(id, new Date(serverNow() - KEPT_DAYS * DAY_MS).toISOString()),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks', id] }),
  })
  return (
    <Modal opened onClose={onClose} title="Resend what was dropped" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md" role="status">
        {resending.data === undefined
          ? 'Whatever was dropped in the last 30 days is sent once more, oldest first. Receivers tell repeats by their event id.'
          : `${countText(resending.data.redelivered, 'event')} sent again.`}
      </Text>
      <FaultAlert error={resending.error} title="Nothing was sent" />
      {resending.data === undefined ? (
        <Button fullWidth mt="md" loading={resending.isPending} onClick={() => resending.mutate()} data-autofocus>
          Resend
        </Button>
      ) : (
        <Button fullWidth mt="md" onClick={onClose}>
          Done
        </Button>
      )}
    </Modal>
  )
}

function DeleteDialog({ id, onClose }: DialogProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: () => deleteEndpoint(id),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' })
      await queries.invalidateQueries({ queryKey: ['webhooks', 'list'] })
    },
  })
  return (
    <Modal opened onClose={onClose} title="Delete the endpoint" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text size="sm" mb="md">
        Nothing more is sent there; what is on its way is dropped. This cannot be taken back.
      </Text>
      <FaultAlert error={deleting.error} title="The endpoint stays" />
      <Button fullWidth mt="md" color="red.9" loading={deleting.isPending} onClick={() => deleting.mutate()}>
        Delete the endpoint
      </Button>
    </Modal>
  )
}
