import { Button } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { useBaskets } from '../../basket/useBaskets.ts'
import { Empty } from '../../ui/Empty.tsx'
import { countText } from '../../ui/Money.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './Basket.module.css'

/** Lists the drafts of orders, one per seller; if there is only one, it opens. */
export function Baskets() {
  const [baskets] = useBaskets()
  const sellers = Object.keys(baskets)
  if (sellers.length === 1 && sellers[0] !== undefined) return <Navigate to="/basket/$seller" params={{ seller: sellers[0] }} replace />
  return (
    <Page title="Baskets">
      {sellers.length === 0 ? (
        <Empty title="Every basket is empty">
          <Button component={Link} to="/find" size="xs" mt="sm">
            Find something to order
          </Button>
        </Empty>
      ) : (
        <ul className={classes.baskets}>
          {sellers.map((seller) => (
            <li key={seller}>
              <Link to="/basket/$seller" params={{ seller }}>
                {seller}
              </Link>
              <span className={classes.about}>
                {countText(baskets[seller]?.lines.length ?? 0, 'line')}, {baskets[seller]?.external_order_id}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
