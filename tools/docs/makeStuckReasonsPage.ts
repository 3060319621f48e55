import { STUCK_GUIDE } from '../../src/contract/stuckGuide.ts'

/** Returns the text of docs/operate/stuck-reasons.md, made from the guide. */
export function makeStuckReasonsPage(): string {
  const rows = Object.entries(STUCK_GUIDE).map(([reason, { of, meaning, action }]) => `| \`${reason}\` | ${of} | ${meaning} | ${action} |`)
  return `${INTRODUCTION}${rows.join('\n')}\n`
}

const INTRODUCTION = `# Stuck reasons

One word says why a run does not get on. Operators read it as \`stuck_reason\` of \`GET /v1/ops/orders\` and \`GET /v1/ops/drops\`, as \`reason\` in
\`GET /v1/ops/health\` and \`GET /v1/ops/connections\`, as the label \`reason\` of \`orders_stuck\`, on the operations screen of the console, and in Temporal as the search
attributes \`OrderStuckReason\` and \`DropStuckReason\`. Sellers read those of their own API in \`waiting_on.stuck_reason\`, and those of a drop as \`reason\`.
Whatever is stuck is tried again by itself. This page is made from the code: \`npm run docs\` writes it.

| Reason | Of | Meaning | What to do |
|---|---|---|---|
`
