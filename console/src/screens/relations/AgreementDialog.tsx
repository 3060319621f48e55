import { Button, Modal, NativeSelect, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useDownSince } from '../../api/health.ts'
import { type Agreement, putAgreement, rereadAgreements } from '../../api/queries/agreements.ts'
import type { Versioned } from '../../api/versioned.ts'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { SaveOrChoose } from '../../ui/SaveOrChoose.tsx'
import { useReplacement } from '../../ui/useReplacement.ts'
import { AgreementForm } from './AgreementForm.tsx'
import { bodyOf, LABELS, textsOf } from './agreementTexts.ts'

interface AgreementDialogProps {
  read: Versioned<Agreement>
  onClose: () => void
}

/** Changes or ends an agreement, unless somebody else has changed it meanwhile. */
export function AgreementDialog({ read, onClose }: AgreementDialogProps) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const { agreement_id: id, buyer_entity } = read.document
  const editing = useReplacement({
    now: read,
    textsOf,
    put: (seen, texts) => putAgreement(id, seen.version, bodyOf(seen.document, texts)),
    reread: () => rereadAgreements(queries),
    onSaved: onClose,
  })
  const { mine, before } = editing
  const isEnding = mine.status === 'ended' && before.status !== 'ended'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    editing.save()
  }
  return (
    <Modal opened onClose={onClose} size="xl" title={`Agreement ${id} with ${buyer_entity}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <AgreementForm
          texts={mine}
          set={editing.set}
          faults={faultsAt(editing.error)}
          first={
            <NativeSelect
              label={LABELS.status}
              size="xs"
              value={mine.status}
              onChange={(event) => editing.set({ status: event.currentTarget.value })}
              data={['active', 'ended']}
              data-autofocus
            />
          }
        />
        <Text size="xs" c="dimmed" mb="sm">
          {isEnding ? ENDING : 'Orders that are placed keep the terms that they were created with.'}
        </Text>
        <SaveOrChoose what="agreement" labels={LABELS} editing={editing}>
          <Button
            type="submit"
            fullWidth
            mt="md"
            {...(isEnding && { color: 'red.9' })}
            disabled={!editing.isChanged || isDown}
            loading={editing.isSaving}
          >
            {isEnding ? 'End the agreement' : 'Save the agreement'}
          </Button>
        </SaveOrChoose>
      </form>
    </Modal>
  )
}

const ENDING = 'No new order can be made under it from then on, and what it opens is closed to the buyer. Placed orders continue unchanged.'
