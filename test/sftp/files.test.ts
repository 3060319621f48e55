import { mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from '@jest/globals'
import { scp, sftp, ssh, withOpenSsh } from '../support/sftp/openSsh.ts'
import { useSftp } from '../support/sftp/useSftp.ts'

const server = useSftp()
const run = (...commands: string[]) => sftp(server, 'cable', server.password('cable'), commands)
const local = (name: string) => join(server.home, name)
const write = (files: Record<string, string>) => Promise.all(Object.entries(files).map(([name, text]) => writeFile(local(name), text)))
const put = (name: string, text: string) => server.app.deps.drops.put(name, [Buffer.from(text)] as unknown as AsyncIterable<Uint8Array>)

beforeEach(async () => {
  for (const seller of ['cable', 'station']) await server.app.deps.drops.delete(seller)
})

withOpenSsh('sftp -b', () => {
  it('lands what it puts, and ends with 0', async () => {
    await write({ 'a.csv': 'one', 'b.csv': 'two', 'empty.csv': '' })
    const ended = await run('mkdir d1', 'put a.csv d1/', 'cd d1', 'put b.csv', 'put empty.csv', 'put -p b.csv c.csv', 'put a.csv b.csv')
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(await server.landed('cable')).toEqual({ 'd1/a.csv': 'one', 'd1/b.csv': 'one', 'd1/c.csv': 'two', 'd1/empty.csv': '' })
  })

  it('takes file names as people write them', async () => {
    await write({ 'Final rates (März).csv': 'one' })
    expect(
      await run('mkdir p1', 'put "Final rates (März).csv" p1/', 'rename "p1/Final rates (März).csv" "p1/Rates 50%.csv"'),
    ).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await server.landed('cable')).toEqual({ 'p1/Rates 50%.csv': 'one' })
    const { out } = await run('ls -1 p1', 'get "p1/Rates 50%.csv" back.csv', 'rm "p1/Rates 50%.csv"')
    expect(out).toContain('p1/Rates 50%.csv')
    expect(await readFile(local('back.csv'), 'utf8')).toBe('one')
    expect(await server.landed('cable')).toEqual({})
  })

  it('needs no folder to be made first', async () => {
    await write({ 'a.csv': 'one' })
    expect(await run('put a.csv /d2/a.csv')).toMatchObject({ code: 0 })
    expect(await server.landed('cable')).toEqual({ 'd2/a.csv': 'one' })
  })

  it('lists with sizes and times, and more than one answer holds', async () => {
    await put('cable/l1/a.csv', 'x'.repeat(1234))
    for (let file = 0; file < 120; file++) await put(`cable/l2/${file}.csv`, 'x')
    const { code, out } = await run('mkdir l3', 'ls -l', 'ls -l l1', 'ls -1 l2', 'ls l3')
    expect(code).toBe(0)
    for (const drop of ['l1', 'l2', 'l3'])
      expect(out).toMatch(new RegExp(`^drwx------ +1 cable +cable +0 \\w{3} +\\d+ \\d\\d:\\d\\d ${drop}$`, 'm'))
    expect(out).toMatch(/^-rw------- +1 cable +cable +1234 \w{3} +\d+ \d\d:\d\d a\.csv$/m)
    expect(out.match(/^l2\/\d+\.csv *$/gm)).toHaveLength(120)
  })

  it('reads back every byte, at any place of the file', async () => {
    const text = Array.from({ length: 200_000 }, (_, row) => `row ${row}\n`).join('')
    await put('cable/r1/large.csv', text)
    await write({ 'part.csv': text.slice(0, 1_000_000) })
    expect(await run('get r1/large.csv whole.csv', 'reget r1/large.csv part.csv')).toMatchObject({ code: 0 })
    for (const name of ['whole.csv', 'part.csv']) expect((await readFile(local(name), 'utf8')) === text).toBe(true)
  })

  it('renames what was sent under a temporary name, also to a name that is taken', async () => {
    await write({ 'a.csv': 'one' })
    await put('cable/n1/b.csv', 'old')
    expect(
      await run('put a.csv n1/a.csv.part', 'rename n1/a.csv.part n1/a.csv', 'put a.csv n1/b.csv.part', 'rename n1/b.csv.part n1/b.csv'),
    ).toMatchObject({ code: 0 })
    expect(await server.landed('cable')).toEqual({ 'n1/a.csv': 'one', 'n1/b.csv': 'one' })
  })

  it('removes own files and then the folder', async () => {
    await put('cable/x1/a.csv', 'one')
    expect(await run('-rmdir x1', 'rm x1/a.csv', 'ls x1', 'rmdir x1', '-ls x1')).toMatchObject({
      code: 0,
      err: expect.stringContaining("Can't ls"),
    })
    expect(await server.landed('cable')).toEqual({})
  })

  it.each([
    ['put a.csv a.csv', /Permission denied|folder of its drop/],
    ['put a.csv d1/sub/a.csv', /Permission denied|directly in the folder/],
    ['put a.csv d1/.a.csv', /Permission denied|must not begin with a dot/],
    ['put a.csv "d1/ a.csv"', /Permission denied|must have 1 to 128/],
    ['put a.csv d1/success.json', /Permission denied|marketplace/],
    ['put a.csv d1/errors.csv', /Permission denied|marketplace/],
    ['put a.csv d1/Manifest.json', /Permission denied|lower case/],
    ['put a.csv d1/Errors.json', /Permission denied|marketplace/],
    ['rename d1/have.csv d1/success.json', /Permission denied|marketplace/],
    ['rename d1/errors.json d1/mine.json', /Permission denied|marketplace/],
    ['mkdir d1/sub', /./],
    ['mkdir .incoming', /./],
    ['mkdir d1', /./],
    ['rmdir d1', /./],
    ['rm d1/none.csv', /./],
    ['rename d1/none.csv d1/other.csv', /./],
    ['rename d1 d9', /./],
    ['ln -s /etc/passwd d1/link', /./],
    ['ln d1/have.csv d1/hard', /./],
    ['get /etc/passwd', /not found/],
    ['get ../../station/s1/secret.csv', /not found/],
    ['get d1', /./],
    ['ls /station', /not found/],
  ])('refuses %s, and ends with 1', async (command, about) => {
    await write({ 'a.csv': 'one' })
    await put('cable/d1/have.csv', 'kept')
    await put('cable/d1/errors.json', '{}')
    await put('station/s1/secret.csv', 'secret')
    const { code, err } = await run(command)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(about) })
    expect(await server.landed('cable')).toEqual({ 'd1/have.csv': 'kept', 'd1/errors.json': '{}' })
  })

  it('reads and lists results, which it cannot write', async () => {
    await put('cable/d1/success.json', '{"status":"success"}')
    const { code, out } = await run('ls d1', 'get d1/success.json')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('d1/success.json') })
    expect(await readFile(local('success.json'), 'utf8')).toBe('{"status":"success"}')
  })

  it('removes results, as programs do that mirror a folder', async () => {
    for (const name of ['success.json', 'errors.json', 'errors.csv', 'waiting.json']) await put(`cable/d1/${name}`, '{}')
    expect(await run('rm d1/success.json', 'rm d1/errors.json', 'rm d1/errors.csv', 'rm d1/waiting.json', 'rmdir d1')).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await server.landed('cable')).toEqual({})
  })

  it('has `/` as far up as there is: nothing above it, nothing of another seller', async () => {
    await put('station/s1/secret.csv', 'secret')
    await put('cable/d1/a.csv', 'one')
    const { code, out } = await run('cd ../../..', 'pwd', 'ls -1', 'ls -1 /../../d1')
    expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('s1') })
    expect(out).toMatch(/working directory: \/\n/)
    expect(out).toMatch(/\/d1\/a\.csv$/m)
  })

  it('ignores modes and owners', async () => {
    await put('cable/d1/a.csv', 'one')
    expect(await run('chmod 777 d1/a.csv', 'chown 7 d1/a.csv')).toMatchObject({ code: 0 })
  })

  it('keeps the time of a file that is sent with it, also under another name, until the file is replaced', async () => {
    await write({ 'a.csv': 'one' })
    await utimes(local('a.csv'), new Date('2026-02-03T04:05:06Z'), new Date('2026-02-03T04:05:06Z'))
    const sentAt = async (...names: string[]) => {
      const { out } = await run('ls -l t1')
      return names.map((name) => new RegExp(` Feb  3 +(?:2026|04:05) (?:t1/)?${name}$`, 'm').test(out))
    }
    expect(
      await run('mkdir t1', 'put -p a.csv t1/a.csv.part', 'rename t1/a.csv.part t1/a.csv', 'put -p a.csv t1/b.csv', 'put a.csv t1/c.csv'),
    ).toMatchObject({
      code: 0,
    })
    expect(await sentAt('a.csv', 'b.csv', 'c.csv')).toEqual([true, true, false])
    expect(await run('get -p t1/b.csv back.csv')).toMatchObject({ code: 0 })
    expect((await stat(local('back.csv'))).mtime).toEqual(new Date('2026-02-03T04:05:06Z'))
    await put('cable/t1/a.csv', 'changed')
    expect(await run('put a.csv t1/b.csv')).toMatchObject({ code: 0 })
    expect(await sentAt('a.csv', 'b.csv')).toEqual([false, false])
  })

  it('lands a folder of many small files', async () => {
    await mkdir(local('many'))
    for (let file = 0; file < 100; file++) await writeFile(local(`many/${file}.csv`), `file ${file}\n`)
    expect(await run('put -r many')).toMatchObject({ code: 0 })
    const landed = await server.landed('cable')
    expect(Object.keys(landed)).toHaveLength(100)
    expect(landed['many/42.csv']).toBe('file 42\n')
  }, 60_000)

  it('is refused more files than a drop may have', async () => {
    for (let file = 0; file < 128; file++) await put(`cable/full/${file}.csv`, 'x')
    await write({ 'a.csv': 'one' })
    expect(await run('put a.csv full/7.csv', 'put a.csv full/one-more.csv')).toMatchObject({ code: 1 })
    expect(await server.landed('cable')).toMatchObject({ 'full/7.csv': 'one' })
    expect(Object.keys(await server.landed('cable'))).toHaveLength(128)
  })
})

withOpenSsh('scp', () => {
  it('lands and fetches files and folders, and ends with 0', async () => {
    await mkdir(local('bundle'))
    await write({ 'bundle/a.csv': 'one', 'bundle/b.csv': 'two', 'c.csv': 'three' })
    const password = server.password('cable')
    expect(await scp(server, 'cable', password, '-r', 'bundle', 'remote:/')).toMatchObject({ code: 0, err: '' })
    expect(await scp(server, 'cable', password, '-p', 'c.csv', 'remote:/bundle/c.csv')).toMatchObject({ code: 0, err: '' })
    expect(await server.landed('cable')).toEqual({ 'bundle/a.csv': 'one', 'bundle/b.csv': 'two', 'bundle/c.csv': 'three' })
    expect(await scp(server, 'cable', password, '-r', 'remote:/bundle', 'fetched')).toMatchObject({ code: 0, err: '' })
    expect(await readFile(local('fetched/b.csv'), 'utf8')).toBe('two')
  })

  it('ends with 1 when it is refused', async () => {
    await write({ 'c.csv': 'three' })
    expect(await scp(server, 'cable', server.password('cable'), 'c.csv', 'remote:/d1/success.json')).toMatchObject({ code: 1 })
  })
})

withOpenSsh('what is not SFTP', () => {
  it.each([
    ['a shell', [], []],
    ['a command', [], ['ls', '/']],
    ['a terminal', ['-tt'], []],
    ['another subsystem', ['-s'], ['netconf']],
    ['forwarding to the server', ['-o', 'ExitOnForwardFailure=yes', '-N', '-R', '0:127.0.0.1:1'], []],
    ['forwarding by the server', ['-W', '127.0.0.1:1'], []],
  ])('is refused: %s', async (_, options, words) => {
    const { code, out } = await ssh(server, 'cable', server.password('cable'), options, words)
    expect(code).not.toBe(0)
    expect(out).toBe('')
  })

  it('is refused with a sentence: scp in its old protocol, a command and a shell', async () => {
    await write({ 'c.csv': 'three' })
    const password = server.password('cable')
    const sentence = 'This server takes files by SFTP only and runs no command: use sftp, or scp without -O.'
    const refused = [
      await scp(server, 'cable', password, '-O', 'c.csv', 'remote:/d1/c.csv'),
      await ssh(server, 'cable', password, [], ['ls', '/']),
      await ssh(server, 'cable', password, [], []),
    ]
    for (const { code, err } of refused) expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(sentence) })
    expect(await server.landed('cable')).toEqual({})
  })
})
