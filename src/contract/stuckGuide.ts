import type { StuckReason } from './vocabulary/stuck.ts'

interface StuckGuide {
  /** What does not get on. */
  readonly of: string
  readonly meaning: string
  /** What an operator does. */
  readonly action: string
}

/** Documentation of every stuck reason, for docs/operate/stuck-reasons.md. */
export const STUCK_GUIDE: Readonly<Record<StuckReason, StuckGuide>> = {
  no_progress: {
    of: 'an order',
    meaning: 'the platform should have moved it a minute ago, and no step says why it did not',
    action: 'check `workers`, `temporal.reachable` and the age of the outbox in `GET /v1/ops/health`; wake the order',
  },
  database_unavailable: {
    of: 'an order, a drop; in Temporal also the pending step of every other run',
    meaning: 'Postgres does not answer the worker',
    action: 'see [PostgreSQL is away](symptoms/postgres-away.md); `a step of a run failed` in the log of the worker has the error',
  },
  timeout: {
    of: 'an order, a drop',
    meaning: 'a step did not end in its time, or its worker died',
    action: 'none if it passes; else look for slow statements, and for `a step of a run failed` in the log of the worker',
  },
  unexpected: {
    of: 'an order, a drop; in Temporal also the pending step of every other run',
    meaning: 'a fault of the service',
    action: 'report it with the stack in the log of the worker (`a step of a run failed`)',
  },
  canceled: {
    of: 'a drop',
    meaning: 'somebody canceled its run in Temporal',
    action: 'none: the next look goes on where it was',
  },
  '{error_code}': {
    of: 'an order',
    meaning: 'the log refuses the step with this [code](../contract/error-codes.md), such as `INVALID_STATE`',
    action: 'read the events of the order, which show its state; report it',
  },
  upload_missing: {
    of: 'a document order in `validating`',
    meaning: 'the file that the buyer uploaded is not in the store of `OBJECTS_URL` that this worker uses',
    action:
      'compare `OBJECTS_URL` and `DATA_DIR` of API and workers ([File stores](file-stores.md)); restore the file, or have the buyer cancel and order again',
  },
  permits_taken: {
    of: 'a document order in `validating`; in Temporal also the activity `askDecision`',
    meaning: 'many documents of this buyer, or many calls of this seller, wait for their turn',
    action: 'none if it passes; else more workers, or slow sellers are asked to answer faster',
  },
  will_decide_later: {
    of: 'in Temporal alone, the activity `askDecision`',
    meaning: "the seller's API has accepted the order with 202 and has not decided yet",
    action: 'none: it is asked again',
  },
  secret_missing: {
    of: "an order that waits for a seller's own API",
    meaning: 'the secret that the profile names is not set or cannot be decrypted, so that no call is made',
    action: 'the seller calls `PUT /v1/me/secrets/{name}`',
  },
  pull_not_declared: {
    of: "an order that waits for a seller's own API",
    meaning: 'the current profile of the seller declares no API that decides, so that no call is made',
    action: 'the seller calls `PUT /v1/me/capabilities`, or decides in the console',
  },
  unreachable: {
    of: 'in Temporal alone, the run `hold:{hold_id}`',
    meaning: "the seller's own API could not be told that a hold has ended",
    action: 'none if it passes: it is told again',
  },
  'unreachable:{fault}': {
    of: "an order that waits for a seller's own API",
    meaning:
      'no answer three times in a row: `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`; `status_{5xx}`; or `refused_address`, an address that the platform does not call',
    action: 'the seller checks its server, or for `refused_address` declares a public https address',
  },
  'unusable_answer:{field}': {
    of: "an order that waits for a seller's own API",
    meaning: 'a 200 whose body is no decision; the field is named, or `too_large`, `encoding`, `json`, `body`',
    action: 'the seller runs `npx order-marketplace conform pull <base url> --secret …`',
  },
  'unexpected_status_{status}': {
    of: "an order that waits for a seller's own API",
    meaning: 'a status below 500 that is neither 200 nor 202; 401: it does not accept our signature',
    action: 'the seller reads the log of its API; for 401 the secret of `PUT /v1/me/secrets/{name}` is not that of its API',
  },
  storage_unavailable: {
    of: 'a drop',
    meaning: 'the store of `DROPS_URL` does not answer or refuses',
    action: 'check the store and its credential; the log of the worker has the error',
  },
  disk_full: {
    of: 'a drop',
    meaning: '`DATA_DIR/spool` of the worker cannot be written',
    action: 'see [A disk is full](symptoms/disk-fills.md)',
  },
  spool_full: {
    of: 'a drop',
    meaning: 'drops in progress fill the 16 GiB of the spool',
    action: 'wait, or remove what blocks them; `du -sh DATA_DIR/spool/*` shows whose they are',
  },
  catalog_unsteady: {
    of: 'a drop',
    meaning: "the seller changes the unit of its products' counts faster than a slice is read",
    action: 'none: it continues when the catalog stops changing',
  },
  'mail:connect': {
    of: 'order mail',
    meaning: 'the mail server cannot be reached, or closes the connection',
    action: 'check `SMTP_URL`, the network and the log of the server',
  },
  'mail:dns': { of: 'order mail', meaning: 'the name of the mail server is not found', action: 'check `SMTP_URL` and DNS' },
  'mail:tls': {
    of: 'order mail',
    meaning: 'the mail server has no TLS, or an untrusted certificate',
    action: 'check its certificate and `NODE_EXTRA_CA_CERTS`',
  },
  'mail:auth': { of: 'order mail', meaning: 'the mail server refuses the user or the password', action: 'correct `SMTP_URL`' },
  'mail:deferred': {
    of: 'order mail',
    meaning: 'the mail server does not accept the mail now',
    action: 'read `code` of the attempts, and the log of the server',
  },
  'mail:not_set_up': {
    of: 'order mail',
    meaning: 'mails wait, and this worker has no mail server',
    action: 'set `SMTP_URL` and `MAIL_FROM`, and restart the workers',
  },
  'reconcile:failing': {
    of: 'the run `reconcile:{seller}`',
    meaning: 'some orders of the seller cannot be reconciled; all others are done',
    action:
      'see [Reconciliations are missing](symptoms/reconciliations-missing.md); `an order cannot be reconciled` in the log of the worker has the stack',
  },
  invoices_left: {
    of: 'in Temporal alone, the run `settlement`',
    meaning: 'some orders could not be invoiced',
    action: 'see [Invoices are missing](symptoms/invoices-missing.md); the log of the worker has the stack',
  },
}
