import type pg from 'pg'
import { Gauge } from 'prom-client'
import { REGISTRY } from './registry.ts'

type Counts = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
let measured: Counts = { totalCount: 0, idleCount: 0, waitingCount: 0 }

/** Sets the pool to measure: the one that all work of the process shares. */
export function measurePool(pool: Counts): void {
  measured = pool
}

const registers = [REGISTRY]

new Gauge({
  name: 'db_pool_waiting',
  help: 'Statements and transactions that wait for a connection to PostgreSQL.',
  registers,
  collect() {
    this.set(measured.waitingCount)
  },
})
new Gauge({
  name: 'db_pool_connections',
  help: 'Connections to PostgreSQL, by state: `busy` or `idle`.',
  labelNames: ['state'] as const,
  registers,
  collect() {
    this.set({ state: 'busy' }, measured.totalCount - measured.idleCount)
    this.set({ state: 'idle' }, measured.idleCount)
  },
})
