import { UNDER_LOAD } from './deaths.ts'
import { dropSend } from './dropSend.ts'
import { noSecretInLogs } from './noSecretInLogs.ts'
import { runbook } from './runbook.ts'
import { useProduct } from './useProduct.ts'

// What needs a running product, but not one of its own; the runbook comes last, since it stops it.
const product = useProduct({ env: UNDER_LOAD })
dropSend(product)
noSecretInLogs(product)
runbook(product)
