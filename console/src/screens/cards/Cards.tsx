import { Button } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useMemo } from 'react'
import { usePages } from '../../api/pages.ts'
import { type CardSummary, cardList } from '../../api/queries/publishing.ts'
import { Instant } from '../../ui/Due.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ListFault } from '../../ui/ListFault.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { withoutEmpty } from '../../ui/search.ts'
import classes from './Cards.module.css'
import { effectiveText } from './cardKeys.ts'

const route = getRouteApi('/cards')

/** Lists the commits of the rate card, newest first; quotes, each visible to one buyer, have their own list. */
export function Cards() {
  const { kind, active } = route.useSearch()
  const navigate = useNavigate()
  const isQuotes = kind === 'quotes'
  const { rows, list, more } = useCards(isQuotes)
  const set = (next: { kind?: 'quotes' | undefined; active?: string }) =>
    void navigate({ from: '/cards', to: '/cards', search: (before) => withoutEmpty({ ...before, ...next }), replace: true })
  const open = (commit: string) => void navigate({ to: '/cards/$commit', params: { commit } })
  const ids = rows.map(({ commit }) => commit)
  const current = active !== undefined && ids.includes(active) ? active : ids[0]
  const move = (step: number) => set({ active: neighbor(ids, current, step) ?? '' })
  useKeys('Cards', [...rowKeys('card', move), { keys: 'Enter', does: 'Open the card', run: () => current !== undefined && open(current) }])
  return (
    <Page title="Cards" aside={<Kinds isQuotes={isQuotes} onQuotes={(quotes) => set({ kind: quotes ? 'quotes' : undefined })} />}>
      <ListFault list={list} isEmpty={rows.length === 0} />
      {list.isPending && <Loading />}
      {list.isSuccess && rows.length === 0 && <NoCards isQuotes={isQuotes} />}
      {rows.length > 0 && (
        <Grid<CardSummary>
          label={isQuotes ? 'Quotes' : 'Rate cards'}
          columns={isQuotes ? QUOTE_COLUMNS : CARD_COLUMNS}
          rows={rows}
          rowId={({ commit }) => commit}
          active={current}
          onActive={(commit) => set({ active: commit })}
          onOpen={open}
          onEnd={more}
        />
      )}
    </Page>
  )
}

function useCards(isQuotes: boolean) {
  const { rows: all, list, more } = usePages(cardList, cardsOf)
  const rows = useMemo(() => all.filter(({ quote }) => (quote !== undefined) === isQuotes), [all, isQuotes])
  return { rows, list, more }
}

function cardsOf({ items }: { items: CardSummary[] }): CardSummary[] {
  return items
}

const NAME: Column<CardSummary> = {
  id: 'commit',
  title: 'Card',
  width: 240,
  grow: 1,
  cell: ({ commit }) => (
    <Link to="/cards/$commit" params={{ commit }} className={classes.link} tabIndex={-1} onClick={keepToLink}>
      {commit}
    </Link>
  ),
}
const PUBLISHED: Column<CardSummary> = {
  id: 'at',
  title: 'Published',
  width: 130,
  cell: ({ published_at }) => <Instant at={published_at} />,
}
const EFFECTIVE: Column<CardSummary> = {
  id: 'effective',
  title: 'Effective',
  width: 200,
  cell: ({ effective }) => effectiveText(effective),
}

const CARD_COLUMNS: readonly Column<CardSummary>[] = [
  NAME,
  EFFECTIVE,
  { id: 'agreement', title: 'For', width: 260, cell: ({ agreement_id }) => agreement_id ?? 'everybody' },
  PUBLISHED,
]

const QUOTE_COLUMNS: readonly Column<CardSummary>[] = [
  NAME,
  EFFECTIVE,
  { id: 'buyer', title: 'Buyer', width: 150, cell: ({ quote }) => quote?.buyer_entity },
  { id: 'order', title: 'Order', width: 260, cell: ({ quote }) => quote && <OrderLink id={quote.order_id} /> },
  PUBLISHED,
]

function OrderLink({ id }: { id: string }) {
  return (
    <Link to="/orders/$id" params={{ id }} className={classes.link} tabIndex={-1} onClick={keepToLink}>
      {id}
    </Link>
  )
}

/** Keeps a click on a link from also choosing the row, which would change the address a second time. */
function keepToLink(event: MouseEvent): void {
  event.stopPropagation()
}

function Kinds({ isQuotes, onQuotes }: { isQuotes: boolean; onQuotes: (quotes: boolean) => void }) {
  return (
    <>
      <Button.Group>
        <Button size="xs" variant={isQuotes ? 'default' : 'light'} aria-pressed={!isQuotes} onClick={() => onQuotes(false)}>
          Cards
        </Button>
        <Button size="xs" variant={isQuotes ? 'light' : 'default'} aria-pressed={isQuotes} onClick={() => onQuotes(true)}>
          Quotes
        </Button>
      </Button.Group>
      <Button size="xs" renderRoot={(props) => <Link to="/publish/$kind" params={{ kind: 'rates' }} {...props} />}>
        New card
      </Button>
    </>
  )
}

function NoCards({ isQuotes }: { isQuotes: boolean }) {
  if (isQuotes) return <Empty title="No quotes">Prices that you counter with in an order are quotes; they are listed here.</Empty>
  return <Empty title="No rate card yet">Publish rates; each publish is a card here, and can be compared with the others.</Empty>
}
