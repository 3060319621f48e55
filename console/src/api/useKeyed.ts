import { useCallback, useRef } from 'react'
import { isUnanswered } from './fault.ts'
import { randomId } from './ids.ts'
import { untilAnswered } from './untilAnswered.ts'

/** 128 bits. */
const KEY_DIGITS = 32

interface Last {
  readonly text: string
  readonly key: string
}

/**
 * Sends commands with an Idempotency-Key. A command repeated after a lost reply, automatically or by another click, has the same key,
 * so that it is carried out once. After a reply, the next click gets a new key.
 */
export function useKeyed() {
  const last = useRef<Last | undefined>(undefined)
  return useCallback(async <Body, Reply>(body: Body, send: (key: string, body: Body) => Promise<Reply>): Promise<Reply> => {
    const text = JSON.stringify(body)
    if (last.current?.text !== text) last.current = { text, key: randomId(KEY_DIGITS) }
    const { key } = last.current
    try {
      const reply = await untilAnswered(() => send(key, body))
      last.current = undefined
      return reply
    } catch (error) {
      if (!isUnanswered(error)) last.current = undefined
      throw error
    }
  }, [])
}
