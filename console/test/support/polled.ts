import { expect } from '@playwright/test'

/** Expects of what a function returns, within `timeout` milliseconds. It is called again every 50 ms, since what is waited for takes about as long. */
export const polled = <T>(read: () => T | Promise<T>, timeout = 20_000) => expect.poll(read, { timeout, intervals: [50] })
