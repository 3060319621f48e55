import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server's action at a step: a reply, a closed connection, silence, or a reply that arrives byte by byte and never ends. */
export type Step = string | 'cut' | 'hang' | 'drip'

/** The actions by step; `body` is the end of the message, after its dot. */
export type Script = Partial<Record<'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'body' | 'RSET' | 'QUIT', Step>>

export interface ScriptedSmtp {
  readonly port: number
  /** All lines that are commands. */
  readonly commands: string[]
  /** Returns the number of open connections. */
  open(): number
  stop(): Promise<void>
}

const ACCEPTING = {
  greeting: '220 here',
  EHLO: '250-here\r\n250 DSN',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  body: '250 2.0.0 queued',
  RSET: '250 ok',
  QUIT: '221 bye',
}

/** Starts a server without encryption that follows a script, to do what a well-behaved server never does. */
export async function scriptedSmtp(script: Script): Promise<ScriptedSmtp> {
  const steps: Record<string, Step> = { ...ACCEPTING, ...script }
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let inBody = false
    let rest = ''
    act(socket, steps.greeting)
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (inBody && line !== '.') continue
        const name = inBody ? 'body' : line.slice(0, 4).toUpperCase()
        if (!inBody) commands.push(line)
        const step = steps[name] ?? '500 what?'
        inBody = name === 'DATA' && step.startsWith('3')
        act(socket, step)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    open: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function act(socket: Socket, step: Step = 'hang'): void {
  if (step === 'hang') return
  if (step === 'cut') return void socket.destroy()
  if (step !== 'drip') return void socket.write(`${step}\r\n`)
  socket.write('250-')
  const timer = setInterval(() => socket.write('x'), 20)
  socket.on('close', () => clearInterval(timer))
}
