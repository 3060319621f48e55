import { heartbeat } from '@temporalio/activity'
import { classified } from './orders.ts'

/** Heartbeats during slow work, so that a dead worker is noticed within seconds. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => heartbeat(), 1_000)
  try {
    return await classified(work)
  } finally {
    clearInterval(beat)
  }
}
