import PostalMime from 'postal-mime'

/** Returns the status code, such as 5.1.1, of a report that a mail has permanently failed (RFC 3464); undefined for any other mail. */
export async function readBounce(mail: Buffer): Promise<string | undefined> {
  const parsed = await PostalMime.parse(mail, { maxNestingDepth: 8 }).catch(() => undefined)
  const type = parsed?.headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (!/^\s*multipart\/report\s*;/i.test(type)) return undefined
  // The library returns this part of the report as an attachment.
  const report = parsed?.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  return report && failureOf(textOf(report.content))
}

/** Skips the first group of fields, which describes the mail; each further group describes a recipient. */
function failureOf(report: string): string | undefined {
  const [, ...recipients] = report
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n[ \t]*\n/)
  return recipients.map(fieldsOf).flatMap(({ action, status }) => {
    const [, code] = /^(5\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(status ?? '') ?? []
    return code !== undefined && action?.toLowerCase() === 'failed' ? [code] : []
  })[0]
}

function fieldsOf(group: string): Record<string, string> {
  const lines = group.replace(/\n[ \t]+/g, ' ').split('\n')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, Math.max(at, 0)).trim().toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
}

function textOf(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1')
}
