import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useKeyed } from '../../api/useKeyed.ts'

/** Sends an act on makegoods once, and reads them and the reconciliation again. */
export function useMakegoodAct<Body>(send: (key: string, body: Body) => Promise<unknown>, onSuccess?: () => void) {
  const queries = useQueryClient()
  const keyed = useKeyed()
  return useMutation({
    mutationFn: (body: Body) => keyed(body, send),
    onSuccess: () => onSuccess?.(),
    onSettled: () =>
      Promise.all([queries.invalidateQueries({ queryKey: ['makegoods'] }), queries.invalidateQueries({ queryKey: ['settlement'] })]),
  })
}
