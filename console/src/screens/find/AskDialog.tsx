import { Button, Modal, NativeSelect, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useDownSince } from '../../api/health.ts'
import { askForAvails, type Period } from '../../api/queries/sellers.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import type { Column } from './picks.ts'

interface AskDialogProps {
  column: Column
  period: Period | undefined
  agreement: string
  onClose: () => void
}

/** Asks a seller for avails that it does not publish to this buyer. */
export function AskDialog({ column: { seller, product }, period, agreement, onClose }: AskDialogProps) {
  const isDown = useDownSince() !== undefined
  const [grain, setGrain] = useState<Period['grain']>(period?.grain ?? 'week')
  const [start, setStart] = useState(period?.start ?? '')
  const [note, setNote] = useState('')
  const asking = useMutation({
    mutationFn: () =>
      askForAvails(seller, {
        product_id: product,
        period: { grain, start: start.trim() } as Period,
        ...(note.trim() !== '' && { note: note.trim() }),
        ...(agreement !== '' && { agreement }),
      }),
  })
  const faults = faultsAt(asking.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={`Ask ${seller} for avails of ${product}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      {asking.isSuccess ? (
        <Asked seller={seller} id={asking.data.request_id} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <NativeSelect
            label="Period"
            value={grain}
            error={faults('/period/grain').join(' ')}
            onChange={(event) => setGrain(event.currentTarget.value as Period['grain'])}
            data={['week', 'day', 'month']}
            mb="xs"
          />
          <TextInput
            label="Start"
            description={STARTS[grain]}
            value={start}
            error={faults('/period/start').join(' ')}
            onChange={(event) => setStart(event.currentTarget.value)}
            mb="xs"
            data-autofocus
          />
          <Textarea
            label="Note"
            autosize
            minRows={2}
            value={note}
            error={faults('/note').join(' ')}
            onChange={(event) => setNote(event.currentTarget.value)}
            mb="md"
          />
          <FaultAlert error={asking.error} title="The question was not taken" />
          <Button type="submit" fullWidth mt="md" disabled={isDown} loading={asking.isPending}>
            Ask for avails
          </Button>
        </form>
      )}
    </Modal>
  )
}

function Asked({ seller, id, onClose }: { seller: string; id: string; onClose: () => void }) {
  return (
    <>
      <Text size="sm" role="status" mb="md">
        {seller} has your question, {id}. What it publishes in answer shows in this grid.
      </Text>
      <Button fullWidth onClick={onClose} data-autofocus>
        Done
      </Button>
    </>
  )
}

const STARTS: Record<Period['grain'], string> = { week: 'Such as 2027-W06', day: 'Such as 2027-02-08', month: 'Such as 2027-02' }
