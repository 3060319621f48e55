import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isUnanswered } from '../../api/fault.ts'
import { createOrder } from '../../api/queries/creates.ts'
import { type Basket, orderText } from '../../basket/basket.ts'

const REPEATS = 2
const FIRST_PAUSE_MS = 500

/** Sends a basket as an order. Until its outcome is known, the basket keeps the exact text sent, and only that text is sent again. */
export function useOrdering(seller: string, basket: Basket, put: (next: Basket | undefined) => void) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const sending = useMutation({
    mutationFn: createOrder,
    retry: (failures, error) => isUnanswered(error) && failures <= REPEATS,
    retryDelay: (attempt) => FIRST_PAUSE_MS * 2 ** attempt,
    onSuccess: ({ order_id }) => {
      put(undefined)
      void queries.invalidateQueries({ queryKey: ['orders'] })
      void navigate({ to: '/orders/$id', params: { id: order_id } })
    },
    onError: (error) => {
      if (!isUnanswered(error)) put(unsent(basket))
    },
  })
  const send = () => {
    if (sending.isPending) return
    const text = basket.sent ?? orderText(seller, basket)
    put({ ...basket, sent: text })
    sending.mutate(text)
  }
  return { send, error: sending.error, isSending: sending.isPending, reset: sending.reset }
}

function unsent({ sent: _, ...basket }: Basket): Basket {
  return basket
}
