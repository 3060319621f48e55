import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orderPreview } from '../../api/queries/creates.ts'
import { type Basket, orderText } from '../../basket/basket.ts'

const TYPING_MS = 250

/** Previews the order: the API checks the current basket and writes nothing. */
export function usePreview(seller: string, basket: Basket) {
  const text = orderText(seller, basket)
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const preview = useQuery({
    ...orderPreview(settled),
    enabled: basket.lines.length > 0 && basket.sent === undefined,
    placeholderData: keepPreviousData,
  })
  return {
    preview: preview.data,
    error: preview.error,
    /** Whether the preview is of the current basket. */
    isCurrent: settled === text && !preview.isFetching && !preview.isPlaceholderData,
    retry: () => void preview.refetch(),
  }
}
