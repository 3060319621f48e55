import { Button, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type CardEntry, type CardSummary, cardList, cardRead } from '../../api/queries/publishing.ts'
import { Instant } from '../../ui/Due.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { type Column, Grid, neighbor } from '../../ui/Grid.tsx'
import { useKeys } from '../../ui/keys.ts'
import { Loading } from '../../ui/Loading.tsx'
import { Page } from '../../ui/Page.tsx'
import { Period } from '../../ui/Period.tsx'
import { rowKeys } from '../../ui/rowKeys.ts'
import { withoutEmpty } from '../../ui/search.ts'
import classes from './Cards.module.css'
import { effectiveText, keyOf, keyText, priceOf } from './cardKeys.ts'
import { Diff } from './Diff.tsx'

const route = getRouteApi('/cards/$commit')

/** One commit of the rate card: its price changes against the previous commit or another, and all its prices. */
export function Card() {
  const { commit } = route.useParams()
  const { against, view } = route.useSearch()
  const navigate = useNavigate()
  const read = useQuery(cardRead(commit))
  const set = (next: { against?: string; view?: 'prices' | undefined }) =>
    void navigate({
      from: '/cards/$commit',
      to: '/cards/$commit',
      params: { commit },
      search: (before) => withoutEmpty({ ...before, ...next }),
      replace: true,
    })
  useKeys('Card', [
    { keys: 'd', does: 'What it changes', run: () => set({ view: undefined }) },
    { keys: 'e', does: 'All its prices', run: () => set({ view: 'prices' }) },
  ])
  const card = read.data
  return (
    <Page title={commit} aside={card && card.quote === undefined && <NewFrom commit={commit} />}>
      <FaultAlert error={read.error} retry={() => void read.refetch()} />
      {read.isPending && <Loading />}
      {card && (
        <>
          <div className={classes.about}>
            <About card={card} />
            <Button.Group>
              <Button size="compact-sm" variant={view ? 'default' : 'light'} aria-pressed={!view} onClick={() => set({ view: undefined })}>
                What it changes
              </Button>
              <Button size="compact-sm" variant={view ? 'light' : 'default'} aria-pressed={!!view} onClick={() => set({ view: 'prices' })}>
                All its prices
              </Button>
            </Button.Group>
          </div>
          {view === 'prices' ? (
            <Prices entries={card.entries} isPart={card.next_cursor !== null} />
          ) : (
            <Compared card={card} against={against} onAgainst={(other) => set({ against: other })} />
          )}
        </>
      )}
    </Page>
  )
}

function NewFrom({ commit }: { commit: string }) {
  return (
    <Button size="xs" renderRoot={(props) => <Link to="/publish/$kind" params={{ kind: 'rates' }} search={{ from: commit }} {...props} />}>
      New card from it
    </Button>
  )
}

function About({ card: { effective, agreement_id, quote, published_at } }: { card: CardSummary }) {
  return (
    <Text size="sm">
      {effectiveText(effective)}
      <span className={classes.dimmed}>
        {', '}
        {quote !== undefined && `a quote to ${quote.buyer_entity}, `}
        {agreement_id !== undefined && `for ${agreement_id}, `}
        published <Instant at={published_at} />
      </span>
    </Text>
  )
}

/** Compares the card with another card of the seller: the previous one, unless the address names one. */
function Compared({ card, against, onAgainst }: { card: CardSummary; against: string | undefined; onAgainst: (commit: string) => void }) {
  const { data } = useInfiniteQuery(cardList)
  const cards = (data?.pages ?? []).flatMap(({ items }) => items)
  const others = cards.filter(({ commit, quote }) => commit !== card.commit && quote === undefined).map(({ commit }) => commit)
  // A quote prices only some lines of one buyer, so the prices that it lacks are not differences.
  const first = card.quote === undefined ? 'all' : 'changed'
  return <Diff key={card.commit} commit={card.commit} against={against} others={others} first={first} onAgainst={onAgainst} />
}

const COLUMNS: readonly Column<CardEntry>[] = [
  { id: 'product', title: 'Product', width: 200, grow: 1, cell: ({ product_id }) => product_id },
  { id: 'week', title: 'Week', width: 170, cell: ({ week }) => <Period period={{ grain: 'week', start: week }} /> },
  { id: 'key', title: 'For', width: 300, cell: keyText },
  { id: 'price', title: 'Price', width: 150, align: 'right', cell: (entry) => priceOf(entry) },
]

function Prices({ entries, isPart }: { entries: readonly CardEntry[]; isPart: boolean }) {
  const [active, setActive] = useState<string>()
  const ids = entries.map(keyOf)
  const move = (step: number) => setActive(neighbor(ids, active, step))
  useKeys('Prices', rowKeys('price', move))
  return (
    <div className={classes.fill}>
      {isPart && <Text className={classes.part}>The first {entries.length.toLocaleString('en-US')} prices of more.</Text>}
      <Grid<CardEntry> label="Prices" columns={COLUMNS} rows={entries} rowId={keyOf} active={active} onActive={setActive} rowHeight={28} />
    </div>
  )
}
