import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { type Mailbox, startMailbox } from '../../../src/local/embedded/mailbox.ts'
import { type TemporaryFolder, temporaryFolder } from '../../support/files/temporaryFolder.ts'

let folder: TemporaryFolder
let mailbox: Mailbox
beforeEach(async () => {
  folder = await temporaryFolder()
  mailbox = await startMailbox(folder.path, 3)
})
afterEach(async () => {
  await mailbox.stop()
  await folder.remove()
})

const send = (message_id: string, text = 'Hello') =>
  createTransport(mailbox.url).sendMail({
    envelope: { from: 'orders@marketplace.example', to: 'billing@agency.example' },
    raw: `Message-ID: <${message_id}@marketplace.example>\r\n\r\n${text}\r\n`,
  })
const files = async () => (await readdir(folder.path)).sort()

describe('startMailbox', () => {
  it('has written a mail, byte for byte, when it replies 250', async () => {
    await send('edi_01', 'One line\r\n.\r\n.two')
    const [name = '', ...others] = await files()
    expect([name, others]).toEqual([expect.stringMatching(/^\d{13}-\d{6}-edi_01\.eml$/), []])
    const raw = await readFile(join(folder.path, name), 'utf8')
    expect(raw).toBe('Message-ID: <edi_01@marketplace.example>\r\n\r\nOne line\r\n.\r\n.two\r\n')
  })

  it('keeps the newest, those of earlier starts included, and removes what was half written', async () => {
    for (const id of ['edi_01', 'edi_02']) await send(id)
    await mailbox.stop()
    await writeFile(join(folder.path, '1700000000000-000000-edi_00.eml.part'), 'half')
    await writeFile(join(folder.path, 'notes.txt'), 'not a mail')
    mailbox = await startMailbox(folder.path, 3)
    for (const id of ['edi_03', 'edi_04']) await send(id)
    expect((await files()).map((name) => name.replace(/^.*-/, ''))).toEqual(['edi_02.eml', 'edi_03.eml', 'edi_04.eml', 'notes.txt'])
  })

  it.each(['../../etc/passwd', 'a b', 'x'.repeat(65)])('writes a mail with the Message-ID %s under a name of its own', async (id) => {
    await send(id)
    expect(await files()).toEqual([expect.stringMatching(/^\d{13}-\d{6}-other\.eml$/)])
  })

  it('refuses a mail of more than 32 MiB by 552', async () => {
    await expect(send('edi_01', 'x'.repeat(33 * 1024 * 1024))).rejects.toMatchObject({ responseCode: 552 })
    expect(await files()).toEqual([])
  })
})
