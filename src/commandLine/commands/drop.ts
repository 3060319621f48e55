import type { Command } from 'commander'
import { does } from '../define.ts'
import type { DropOptions } from '../drop/send.ts'

/** `drop send`. */
export function addDrop(program: Command): void {
  does<DropOptions, [string]>(
    program
      .command('drop')
      .description('sell by files')
      .command('send <folder>')
      .description('upload the files of a folder, register them and wait for the result, which is printed as JSON')
      .option('--drop-id <id>', "the drop's name; else the folder's name with a hash of its files")
      .option('--reprocess', 'process the same files again')
      .option('--sftp [host:port]', 'send by SFTP alone; else the server of the credentials file of a sandbox')
      .option('--seller <seller>', 'the user name over SFTP')
      .option('--key <file>', 'a private key for SFTP, in place of the token')
      .option('--fingerprint <fingerprint>', "the SHA256 fingerprint of the SFTP server's host key")
      .option('--credentials <file>', 'the credentials file of a sandbox', '.data/credentials.json'),
    [
      'order-marketplace drop send ./spring-2027',
      'order-marketplace drop send ./spring-2027 --seller lakeshore-28 --sftp sftp.marketplace.example:22 --fingerprint SHA256:…',
    ],
    async (session, options, folder) => (await import('../drop/send.ts')).sendFolder(session, options, folder),
  )
}
