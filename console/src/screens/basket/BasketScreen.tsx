import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { catalogRead } from '../../api/queries/sellers.ts'
import type { Attachment, Basket } from '../../basket/basket.ts'
import { useBaskets } from '../../basket/useBaskets.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FaultAlert } from '../../ui/FaultAlert.tsx'
import { faultsAt } from '../../ui/fieldFaults.ts'
import { useKeys } from '../../ui/keys.ts'
import { Page } from '../../ui/Page.tsx'
import { Attachments } from './Attachments.tsx'
import classes from './Basket.module.css'
import { BasketLines } from './BasketLines.tsx'
import { nextFault } from './cells.ts'
import { OrderBar } from './OrderBar.tsx'
import { OrderFacts } from './OrderFacts.tsx'
import { useOrdering } from './useOrdering.ts'
import { usePreview } from './usePreview.ts'

const route = getRouteApi('/basket/$seller')

/** The draft of an order with one seller; the API checks it while the user types. */
export function BasketScreen() {
  const { seller } = route.useParams()
  const catalog = useQuery(catalogRead(seller))
  const [baskets, put, update] = useBaskets()
  const basket = baskets[seller]
  return (
    <Page
      title={`Basket for ${seller}`}
      aside={
        <Button size="xs" variant="default" renderRoot={(props) => <Link to="/find" search={{ seller }} {...props} />}>
          Find more
        </Button>
      }
    >
      {basket === undefined ? (
        catalog.error ? (
          <FaultAlert error={catalog.error} retry={() => void catalog.refetch()} />
        ) : (
          <Empty title="The basket is empty">
            <Button size="xs" mt="sm" renderRoot={(props) => <Link to="/find" search={{ seller }} {...props} />}>
              Find what {seller} sells
            </Button>
          </Empty>
        )
      ) : (
        <BasketBody
          key={seller}
          seller={seller}
          basket={basket}
          put={(next) => put(seller, next)}
          update={(change) => update(seller, change)}
        />
      )}
    </Page>
  )
}

interface BasketBodyProps {
  seller: string
  basket: Basket
  put: (next: Basket | undefined) => void
  update: (change: (basket: Basket) => Basket) => void
}

function BasketBody({ seller, basket, put, update }: BasketBodyProps) {
  const checked = usePreview(seller, basket)
  const ordering = useOrdering(seller, basket, put)
  const isLocked = basket.sent !== undefined
  const refusal = ordering.error ?? checked.error
  const faults = faultsAt(refusal)
  const change = (next: Basket) => {
    ordering.reset()
    put(next)
  }
  const attach = (attachment: Attachment) => {
    ordering.reset()
    update((now) => (now.sent === undefined ? { ...now, attachments: [...now.attachments, attachment] } : now))
  }
  useKeys('Basket', [{ keys: 'n', does: 'Next fault', run: nextFault }])
  return (
    <div className={classes.page}>
      <div className={classes.split}>
        <div className={classes.main}>
          <BasketLines seller={seller} basket={basket} put={change} faults={faults} preview={checked.preview} isLocked={isLocked} />
          <Attachments seller={seller} basket={basket} put={change} add={attach} faults={faults('/attachments')} isLocked={isLocked} />
        </div>
        <OrderFacts seller={seller} basket={basket} put={change} faults={faults} isLocked={isLocked} />
      </div>
      <OrderBar seller={seller} basket={basket} checked={checked} ordering={ordering} onClear={() => put(undefined)} />
    </div>
  )
}
