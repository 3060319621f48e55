import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ConfigFault, type MailSettings } from '../../config/index.ts'

/** Reads the key that signs mails; undefined if DKIM is not set. Errors: ConfigFault for a file that holds no such key. */
export async function readDkimKey({ dkim }: Pick<MailSettings, 'dkim'>): Promise<string | undefined> {
  if (dkim === undefined) return undefined
  const text = await readFile(dkim.keyFile, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigFault(`DKIM_KEY_FILE ${dkim.keyFile} cannot be read (${code}); give this process read access, or name another file.`)
  })
  if (!isRsaKey(text))
    throw new ConfigFault(
      `DKIM_KEY_FILE ${dkim.keyFile} must hold an RSA private key of at least 1024 bits, in PEM without a passphrase, as openssl genrsa 2048 writes it.`,
    )
  return text
}

/** Returns true for an RSA key: the only kind whose signatures all receivers must support (RFC 8301) and that the library can sign with. */
function isRsaKey(text: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(text)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 1024
  } catch {
    return false
  }
}
