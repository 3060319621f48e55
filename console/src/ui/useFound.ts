import { useDebouncedValue } from '@mantine/hooks'
import type { SpotlightActionData } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Found, searchRead } from '../api/queries/search.ts'
import type { Session } from '../api/session.ts'
import { statusWord } from './Status.tsx'

const TYPING_MS = 120

/** What the tenant has under the typed words, as commands that open it. Operators have no documents of tenants to search. */
export function useFound({ side }: Session, query: string): SpotlightActionData[] {
  const [q] = useDebouncedValue(query.trim(), TYPING_MS)
  // What was found for other words is not offered: the key that opens it may be on its way.
  const isAsked = q !== '' && q === query.trim() && side !== 'operator'
  const { data } = useQuery({ ...searchRead(q), enabled: isAsked })
  const navigate = useNavigate()
  if (!isAsked || data === undefined) return []
  const go = (to: string, search?: object) => () => void navigate({ to, ...(search && { search }) } as never)
  const isBuyer = side === 'buyer'
  return [
    ...data.orders.map((order) => ({
      id: order.order_id,
      label: `${order.external_order_id} ${matchedText(order)}`,
      description: [
        isBuyer ? (order.seller_name ?? order.seller) : (order.buyer_name ?? order.buyer_entity),
        statusWord(order.status),
      ].join(', '),
      onClick: go(`/orders/${order.order_id}`),
    })),
    ...data.products.map(({ seller, product_id, product_title, network }) => ({
      id: `${seller}/${product_id}`,
      label: product_title ?? product_id,
      description: [product_id, network, ...(isBuyer ? [seller] : [])].join(', '),
      onClick: isBuyer ? go('/find', { seller, pick: [`${seller}/${product_id}`] }) : go('/avails', { product: product_id }),
    })),
    ...data.parties.map(({ entity, name = entity }) => ({
      id: `party ${entity}`,
      label: name,
      description: isBuyer ? 'what it sells' : 'its orders',
      onClick: isBuyer ? go('/find', { seller: entity }) : go('/orders', { buyer: entity }),
    })),
  ]
}

/** Says in what the words were found, unless that is the name of the order anyway. */
function matchedText({ matched, external_order_id, order_id }: Found['orders'][number]): string {
  return matched === external_order_id || matched === order_id ? '' : `· ${matched}`
}
