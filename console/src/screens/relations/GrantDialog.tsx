import { Button, Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverNow } from '../../api/clock.ts'
import { useDownSince } from '../../api/health.ts'
import { grantAgreement, rereadAgreements } from '../../api/queries/agreements.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type FaultsAt, faultsAt } from '../../ui/fieldFaults.ts'
import { AgreementForm } from './AgreementForm.tsx'
import { emptyTexts, grantOf } from './agreementTexts.ts'

interface GrantDialogProps {
  /** Buyers that the seller already deals with, offered as suggestions. */
  buyers: readonly string[]
  onClose: () => void
  onGranted: (id: string) => void
}

/** Grants an agreement. Its id and buyer are final; everything else can be changed later. */
export function GrantDialog({ buyers, onClose, onGranted }: GrantDialogProps) {
  const queries = useQueryClient()
  const isDown = useDownSince() !== undefined
  const [who, setWho] = useState({ id: '', buyer: '' })
  const [texts, setTexts] = useState(() => emptyTexts(new Date(serverNow()).toISOString().slice(0, 10)))
  const granting = useMutation({
    mutationFn: () => grantAgreement(who.id.trim(), grantOf(who.buyer, texts)),
    onSuccess: async ({ agreement_id }) => {
      await rereadAgreements(queries)
      onGranted(agreement_id)
    },
  })
  const faults = faultsAt(granting.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    granting.mutate()
  }
  const isNamed = who.id.trim() !== '' && who.buyer.trim() !== ''
  return (
    <Modal opened onClose={onClose} size="xl" title="Grant an agreement" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit}>
        <AgreementForm
          texts={texts}
          set={(change) => setTexts({ ...texts, ...change })}
          faults={faults}
          first={<Who who={who} set={setWho} buyers={buyers} faults={faults} />}
        />
        <FaultAlert error={granting.error} title="The agreement is not granted" />
        <Button type="submit" fullWidth mt="md" disabled={!isNamed || isDown} loading={granting.isPending}>
          Grant the agreement
        </Button>
      </form>
    </Modal>
  )
}

interface WhoProps {
  who: { readonly id: string; readonly buyer: string }
  set: (who: WhoProps['who']) => void
  buyers: readonly string[]
  faults: FaultsAt
}

function Who({ who, set, buyers, faults }: WhoProps) {
  return (
    <>
      <TextInput
        size="xs"
        label="Id"
        placeholder="agr-northlight-2027"
        value={who.id}
        error={faults('/agreement_id').join(' ')}
        onChange={(event) => set({ ...who, id: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        size="xs"
        label="Buyer"
        list="buyers"
        placeholder="northlight-media"
        value={who.buyer}
        error={faults('/buyer_entity').join(' ')}
        onChange={(event) => set({ ...who, buyer: event.currentTarget.value })}
      />
      <datalist id="buyers">
        {buyers.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}
