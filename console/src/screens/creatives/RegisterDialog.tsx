import { Button, Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { creativeList, registerCreative } from '../../api/queries/creatives.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'

/** Adds a spot to the registry; it stores no media. */
export function RegisterDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const [texts, setTexts] = useState({ creative_code: '', name: '', length_seconds: '30' })
  const registering = useMutation({
    mutationFn: () => registerCreative({ ...texts, length_seconds: Number(texts.length_seconds) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: creativeList.queryKey })
      onClose()
    },
  })
  const faults = faultsAt(registering.error)
  const field = (name: keyof typeof texts) => ({
    value: texts[name],
    error: faults(`/${name}`).join(' '),
    onChange: (event: { currentTarget: { value: string } }) => setTexts({ ...texts, [name]: event.currentTarget.value }),
    mb: 'xs' as const,
  })
  const isPlaced = (Object.keys(texts) as (keyof typeof texts)[]).some((name) => faults(`/${name}`).length > 0)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    registering.mutate()
  }
  return (
    <Modal opened onClose={onClose} title="Register a creative" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <TextInput {...field('creative_code')} label="Code" description="As traffic knows it, such as an Ad-ID." data-autofocus />
        <TextInput {...field('name')} label="Name" />
        <TextInput {...field('length_seconds')} label="Length, seconds" inputMode="numeric" />
        {!isPlaced && <FaultAlert error={registering.error} title="The creative is not registered" />}
        <Button type="submit" fullWidth mt="md" disabled={isDown} loading={registering.isPending}>
          Register the creative
        </Button>
      </form>
    </Modal>
  )
}
