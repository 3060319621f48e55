import { workerData } from 'node:worker_threads'
import { serveTasks } from '../../adapters/processes/serveTasks.ts'
import { openDatabase } from '../../store/connection/database.ts'
import type { LargeOrder } from './largeOrders.ts'
import { recomputeLargeOrder } from './recomputeLargeOrder.ts'

// The thread for large orders, with its own connection.

const db = openDatabase((workerData as { databaseUrl: string }).databaseUrl, { max: 1, statementTimeout: 60_000 })

serveTasks<LargeOrder, void>(({ seller, due }) => recomputeLargeOrder(db, seller, due))
