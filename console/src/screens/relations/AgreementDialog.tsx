import { Button, Modal, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Agreement, putAgreement } from '../../api/queries/agreements.ts'
import type { Versioned } from '../../api/versioned.ts'
import { Differences, differencesOf } from '../../ui/Differences.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { useReplacement } from '../../ui/useReplacement.ts'
import { bodyOf, LABELS, POINTERS, textsOf } from './rules.ts'

interface AgreementDialogProps {
  read: Versioned<Agreement>
  onClose: () => void
}

/** Changes an agreement, if nobody has changed it meanwhile. */
export function AgreementDialog({ read, onClose }: AgreementDialogProps) {
  const queries = useQueryClient()
  const { agreement_id: id } = read.document
  const editing = useReplacement({
    now: read,
    textsOf,
    put: (seen, texts) => putAgreement(id, seen.version, bodyOf(seen.document, texts)),
    reread: () => queries.invalidateQueries({ queryKey: ['agreements'] }),
    onSaved: onClose,
  })
  const { mine, before, theirs } = editing
  const faults = faultsAt(editing.error)
  const field = (name: keyof typeof LABELS) => ({
    label: LABELS[name],
    size: 'xs' as const,
    value: mine[name] ?? '',
    error: faults(POINTERS[name] ?? `/${name}`).join(' '),
    onChange: (event: { currentTarget: { value: string } }) => editing.set({ [name]: event.currentTarget.value }),
  })
  return (
    <Modal opened onClose={onClose} size="lg" title={`Agreement ${id}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          editing.save()
        }}
      >
        <SimpleGrid cols={2} spacing="sm">
          <NativeSelect {...field('status')} data={['active', 'ended']} data-autofocus />
          <NativeSelect {...field('settlement_mode')} data={['direct', 'cleared']} />
          <TextInput {...field('start')} />
          <TextInput {...field('end')} />
          <TextInput {...field('credit_limit')} inputMode="decimal" />
          <TextInput {...field('commitment_gross')} inputMode="decimal" />
          <TextInput {...field('notice_days')} inputMode="numeric" />
          <TextInput {...field('late_fee_pct')} inputMode="decimal" />
          <TextInput {...field('agency_commission_pct')} inputMode="decimal" />
        </SimpleGrid>
        <Text size="xs" c="dimmed" my="sm">
          Orders that are placed keep the terms that they were created with. Whatever is not shown here stays as it is.
        </Text>
        <FaultAlert error={editing.error} title="The agreement stays as it is" />
        {editing.isConflict ? (
          <Differences
            what="agreement"
            rows={differencesOf(LABELS, before, theirs, mine)}
            isSending={editing.isSaving}
            onMine={editing.saveMine}
            onTheirs={editing.takeTheirs}
          />
        ) : (
          <Button type="submit" fullWidth mt="md" disabled={!editing.isChanged} loading={editing.isSaving}>
            {mine.status === 'ended' && before.status !== 'ended' ? 'End the agreement' : 'Save the agreement'}
          </Button>
        )}
      </form>
    </Modal>
  )
}
