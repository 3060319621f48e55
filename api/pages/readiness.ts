import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import type { Database } from '../../src/store/connection/database.ts'

/**
 * Answers 200 as long as this process serves, and says whether the database answers it. Without the database every API process is alike: one
 * that a balancer takes out answers nobody, while one that stays answers 503 with Retry-After.
 */
export function readiness(db: Pick<Database, 'pool'>): RequestHandler {
  const answers = databaseAnswers(db)
  return async (_req, res) => {
    res.json({ status: 'ready', database: (await answers()) ? 'answers' : 'away' })
  }
}

/** Returns what asks whether the database answers at once: at most one question at a time, however many ask. Never fails. */
export function databaseAnswers({ pool }: Pick<Database, 'pool'>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  const probe = async () => {
    try {
      await pool.query('select')
      return true
    } catch {
      return false
    } finally {
      asking = undefined
    }
  }
  return () => {
    asking ??= probe()
    return Promise.race([asking, sleep(ANSWER_MS, false)])
  }
}

/** Less than the second in which a probe of Kubernetes must be answered. */
const ANSWER_MS = 500
