import { Button, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverNow } from '../../api/clock.ts'
import { useDownSince } from '../../api/health.ts'
import {
  type GrantEffect as Effect,
  grantAgreement,
  type PutAgreement,
  rereadAgreements,
  tryAgreement,
} from '../../api/queries/agreements.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type FaultsAt, faultsAt } from '../../ui/fieldFaults.ts'
import { AgreementForm } from './AgreementForm.tsx'
import { emptyTexts, grantOf } from './agreementTexts.ts'
import { GrantEffect, Questions, questionsOf } from './GrantEffect.tsx'

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
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [id, body] = [who.id.trim(), grantOf(who.buyer, texts)]
  const isNamed = id !== '' && who.buyer.trim() !== ''
  const [effect, setEffect] = useEffectOf(id, body, isNamed)
  const granting = useMutation({
    // What it would change is read first: a name that nobody has is asked about before anything is granted.
    mutationFn: async () => {
      const tried = (await tryAgreement(id, body)).effect
      setEffect(tried)
      return isSettled(tried, who.buyer.trim(), ticked) && isSame(tried, effect) ? grantAgreement(id, body) : undefined
    },
    onSuccess: async (agreement) => {
      if (agreement === undefined) return
      await rereadAgreements(queries)
      onGranted(agreement.agreement_id)
    },
  })
  const faults = faultsAt(granting.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    granting.mutate()
  }
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
        {effect && <GrantEffect effect={effect} />}
        {effect && (
          <Questions
            questions={questionsOf(effect, who.buyer.trim())}
            ticked={ticked}
            tick={(about, isMeant) => setTicked(new Set([...ticked].filter((one) => one !== about).concat(isMeant ? about : [])))}
          />
        )}
        <Button type="submit" fullWidth mt="md" disabled={!isNamed || isDown} loading={granting.isPending}>
          Grant the agreement
        </Button>
      </form>
    </Modal>
  )
}

const TYPING_MS = 400

/** What the agreement that is being written would change, read when its seller stops typing, or set when it is read again. */
function useEffectOf(id: string, body: PutAgreement, isNamed: boolean): readonly [Effect | undefined, (effect: Effect) => void] {
  const [read, setRead] = useState<{ readonly of: string; readonly effect: Effect }>()
  const now = JSON.stringify([id, body])
  const [typed] = useDebouncedValue(now, TYPING_MS)
  const { data } = useQuery({
    queryKey: ['agreement-effect', typed] as const,
    queryFn: async () => (await tryAgreement(...(JSON.parse(typed) as [string, PutAgreement]))).effect,
    // What is still wrong with it is said when it is granted.
    enabled: isNamed && typed === now && body.effective?.end !== '',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const effect = read?.of === now ? read.effect : typed === now ? data : undefined
  return [effect, (next) => setRead({ of: now, effect: next })]
}

/** Whether every unknown name is meant. */
function isSettled(effect: Effect, buyer: string, ticked: ReadonlySet<string>): boolean {
  return questionsOf(effect, buyer).every(({ about }) => ticked.has(about))
}

/** Whether the grant does what its seller has read that it does. */
function isSame(tried: Effect, shown: Effect | undefined): boolean {
  const then = ({ as_of, after, unknown_products }: Effect) => JSON.stringify([as_of, after, unknown_products])
  return shown !== undefined && then(tried) === then(shown)
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
