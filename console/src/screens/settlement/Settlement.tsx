import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Side } from '../../api/queries/orders.ts'
import { agreementList, type InvoiceRow, type VarianceCode } from '../../api/queries/settlement.ts'
import { useSession } from '../../api/session.ts'
import type { SettlementSearch } from '../../routes/settlement.ts'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { withoutEmpty } from '../../ui/search.ts'
import { CreditView } from './CreditView.tsx'
import { InvoicesView } from './InvoicesView.tsx'
import { MakegoodsView } from './MakegoodsView.tsx'
import classes from './Settlement.module.css'
import type { Save } from './useSave.ts'
import { VariancesView } from './VariancesView.tsx'
import { CODES, codeText } from './varianceGrid.ts'

const route = getRouteApi('/settlement')

/** The settlement screen: invoices, variances between ordered, aired and billed, and remaining credit and commitments. */
export function Settlement() {
  const side = useSession().side as Side
  const search = route.useSearch()
  const { view = 'invoices' } = search
  const navigate = useNavigate()
  const [save, setSave] = useState<Save>()
  const saving = useMutation({ mutationFn: (run: Save) => run() })
  const set = (next: SettlementSearch) =>
    void navigate({ from: '/settlement', to: '/settlement', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  const onSave = useCallback((next: Save | undefined) => setSave(() => next), [])
  const shared = { side, search, set, onSave }
  return (
    <Page
      title="Settlement"
      aside={
        <>
          {view !== 'credit' && view !== 'makegoods' && <Filters side={side} search={search} set={set} />}
          <Button size="xs" variant="default" disabled={save === undefined || saving.isPending} onClick={() => save && saving.mutate(save)}>
            {saving.isPending ? 'Reading all of it' : 'Save as CSV'}
          </Button>
        </>
      }
    >
      <nav className={classes.views} aria-label="Views">
        {VIEWS.map(({ id, title }) => (
          <Link
            key={id}
            to="/settlement"
            search={{ ...(search.month && id !== 'makegoods' && { month: search.month }), view: id }}
            className={classes.view}
            {...(id === view && { 'aria-current': 'page' as const })}
          >
            {title}
          </Link>
        ))}
        {side === 'seller' && (
          <Link to="/files" search={{ status: 'rejected' }} className={classes.view}>
            Errors of drops <Icon name="next" size={14} />
          </Link>
        )}
      </nav>
      <FaultAlert error={saving.error} title="The list is not saved" />
      <div className={classes.list}>
        {view === 'invoices' && <InvoicesView {...shared} />}
        {view === 'variances' && <VariancesView {...shared} />}
        {view === 'makegoods' && <MakegoodsView {...shared} />}
        {view === 'credit' && <CreditView {...shared} />}
      </div>
    </Page>
  )
}

const VIEWS = [
  { id: 'invoices', title: 'Statement and invoices' },
  { id: 'variances', title: 'Orders by variance' },
  { id: 'makegoods', title: 'Makegoods' },
  { id: 'credit', title: 'Credit and pacing' },
] as const

interface FiltersProps {
  readonly side: Side
  readonly search: SettlementSearch
  readonly set: (next: SettlementSearch) => void
}

function Filters({ side, search: { view = 'invoices', agreement = '', month = '', status, code }, set }: FiltersProps) {
  const { data } = useQuery(agreementList(side))
  return (
    <>
      {view === 'invoices' && (
        <NativeSelect
          size="xs"
          aria-label="Agreement"
          value={agreement}
          onChange={(event) => set({ agreement: event.currentTarget.value })}
          data={[{ value: '', label: 'Every agreement' }, ...(data ?? []).map(({ agreement_id }) => agreement_id)]}
        />
      )}
      {view === 'variances' && (
        <NativeSelect
          size="xs"
          aria-label="Code"
          value={code ?? ''}
          onChange={(event) => set({ code: event.currentTarget.value as VarianceCode })}
          data={[
            { value: '', label: 'Every code' },
            ...Object.keys(CODES).map((value) => ({ value, label: codeText(value as VarianceCode) })),
          ]}
        />
      )}
      {view === 'invoices' && (
        <NativeSelect
          size="xs"
          aria-label="Status"
          value={status ?? ''}
          onChange={(event) => set({ status: event.currentTarget.value as InvoiceRow['status'] })}
          data={[{ value: '', label: 'Every status' }, 'issued', 'paid', 'credited']}
        />
      )}
      <TextInput
        size="xs"
        type="month"
        aria-label="Broadcast month"
        leftSection="Month"
        leftSectionWidth={56}
        value={month}
        onChange={(event) => set({ month: event.currentTarget.value })}
      />
    </>
  )
}
