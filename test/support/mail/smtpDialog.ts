import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A conversation with a mail server, command by command, as no library would conduct it. */
export interface SmtpDialog {
  readonly socket: Socket
  /** Sends a command, or the text of a mail, and resolves with the whole reply; empty if the server closed the connection. */
  say(text: string): Promise<string>
  end(): void
}

export async function smtpDialog(port: number, localAddress = '127.0.0.1'): Promise<SmtpDialog> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  let text = ''
  let wake: () => void = () => undefined
  let closed = false
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    wake()
  })
  socket.on('close', () => {
    closed = true
    wake()
  })
  const reply = async () => {
    for (;;) {
      const [whole] = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(text) ?? []
      if (whole !== undefined) {
        text = text.slice(whole.length)
        return whole.trimEnd()
      }
      if (closed) return ''
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  await once(socket, 'connect').catch(() => undefined)
  await reply()
  return {
    socket,
    say: (command) => {
      socket.write(`${command}\r\n`)
      return reply()
    },
    end: () => socket.destroy(),
  }
}

/** Sends a mail by itself; returns the replies to RCPT and, if it got that far, to the mail. */
export async function handOver(port: number, to: string, mail: string, { size = '', localAddress = '127.0.0.1' } = {}): Promise<string[]> {
  const dialog = await smtpDialog(port, localAddress)
  try {
    await dialog.say('EHLO relay.example')
    const sender = await dialog.say(`MAIL FROM:<>${size}`)
    if (!sender.startsWith('250')) return [sender]
    const recipient = await dialog.say(`RCPT TO:<${to}>`)
    if (!recipient.startsWith('250')) return [recipient]
    await dialog.say('DATA')
    return [recipient, await dialog.say(`${mail.replace(/^\./gm, '..')}\r\n.`)]
  } finally {
    dialog.end()
  }
}
