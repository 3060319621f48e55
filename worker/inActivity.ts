import { Context } from '@temporalio/activity'
import type { Outbound } from '../src/adapters/http/outboundCall.ts'
import type { Mailer } from '../src/adapters/mail/mailer.ts'

/**
 * Clients of this process for everything outside the platform, which refuse to work outside an activity: each webhook, mail and call of a
 * seller's API is a step of a run, that operators see (architecture, Calls are steps). Errors of both: the SDK's, for a fault of the service.
 */
export function callingInActivities(outbound: Outbound): Outbound {
  return {
    call: async (request) => {
      Context.current()
      return outbound.call(request)
    },
    close: () => outbound.close(),
  }
}

export function mailingInActivities(mailer: Mailer): Mailer {
  return {
    send: async (mail) => {
      Context.current()
      return mailer.send(mail)
    },
    close: () => mailer.close(),
  }
}
