import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PutBucketPolicyCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, it } from '@jest/globals'
import { checkStorage } from '../../../src/adapters/files/objectStorage/stores.ts'
import { freePort } from '../../../src/local/embedded/ports.ts'
import { chunksOf, listedNames, objectText } from '../../support/files/objects.ts'
import { setS3Credential } from '../../support/files/s3Credential.ts'
import { CABLE, described, useS3 } from './useS3.ts'

const PAGE = new URL('../../../docs/operate/file-stores.md', import.meta.url)
const s3 = useS3()

described('a start', () => {
  const refusal = async (url: string) => {
    const warnings: string[] = []
    const fault = await checkStorage(s3.open(url), 'DROPS_URL', (sentence) => warnings.push(sentence)).catch((error: Error) => error)
    return fault === undefined ? { warnings } : `${fault.name}: ${fault.message}`
  }

  it('goes on where bucket, region and credential are right', async () => {
    expect(await refusal(s3.server.url('stores/a'))).toEqual({ warnings: [] })
  })

  it('names a bucket that does not exist', async () => {
    expect(await refusal(s3.server.url('none'))).toBe(
      'ConfigFault: The bucket of DROPS_URL does not exist (NoSuchBucket); create it, or correct DROPS_URL.',
    )
  })

  it('names the region of the bucket', async () => {
    expect(await refusal(s3.server.url('stores').replace('eu-west-1', 'us-east-2'))).toBe(
      'ConfigFault: The bucket of DROPS_URL is in another region (eu-west-1); correct region in DROPS_URL.',
    )
    expect(await refusal(s3.server.url('stores').replace('region=eu-west-1&', ''))).toBe(
      'ConfigFault: DROPS_URL must name a region, such as region=eu-west-1, or AWS_REGION must be set.',
    )
  })

  it.each([
    ['an unknown key', { accessKeyId: 'nobody', secretAccessKey: 'x' }, 'InvalidAccessKeyId'],
    ['a wrong secret', { accessKeyId: 'owner', secretAccessKey: 'x' }, 'SignatureDoesNotMatch'],
  ])('does not go on with %s', async (_, user, word) => {
    setS3Credential(user)
    expect(await refusal(s3.server.url('stores'))).toBe(
      `ConfigFault: The file store of DROPS_URL does not accept the credential (${word}); correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of this process.`,
    )
  })

  it('does not go on without a credential, or with one that has no right', async () => {
    setS3Credential('none')
    expect(await refusal(s3.server.url('stores'))).toBe(
      'ConfigFault: No credential for the file store of DROPS_URL was found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this process a role.',
    )
    setS3Credential(CABLE)
    expect(await refusal(s3.server.url('stores'))).toBe(
      'ConfigFault: The file store of DROPS_URL refuses the service (AccessDenied); give its credential the rights that docs/operate/file-stores.md lists.',
    )
  })

  it('goes on with a warning where nobody answers', async () => {
    const nowhere = s3.server.url('stores').replace(s3.server.endpoint, `http://127.0.0.1:${await freePort()}`)
    expect(await refusal(nowhere)).toEqual({ warnings: [expect.stringMatching(/^The file store of DROPS_URL does not answer \(/)] })
  })

  it('does not go on with a directory that cannot be made', async () => {
    await writeFile(join(s3.folder.path, 'file'), '')
    expect(await refusal(`file://${s3.folder.path}/file/drops`)).toBe(
      'ConfigFault: The directory of DROPS_URL cannot be used (ENOTDIR); let this process read and write it, or correct DROPS_URL, or DATA_DIR where DROPS_URL is not set.',
    )
  })
})

described('the bucket policy of docs/operate/file-stores.md', () => {
  beforeAll(async () => {
    const [, policy = ''] = /```json\n(\{\n {2}"Version"[\s\S]*?\n)```/.exec(await readFile(PAGE, 'utf8')) ?? []
    const client = s3.server.client()
    // This server knows its users by their bare names.
    const Policy = policy.replaceAll(/arn:aws:iam::\d+:(user|role)\//g, '')
    await client.send(new PutBucketPolicyCommand({ Bucket: 'marketplace', Policy }))
    client.destroy()
  })

  it('gives the service all that it does', async () => {
    setS3Credential({ accessKeyId: 'service', secretAccessKey: 'service-secret' })
    const drops = s3.open(s3.server.url('marketplace/drops'))
    await drops.check()
    await drops.put('cable/d1/a.csv', chunksOf('x'))
    await drops.put('station/d1/a.csv', chunksOf('y'))
    expect(await objectText(drops, 'cable/d1/a.csv')).toBe('x')
    expect(await drops.stat('cable/d2/a.csv')).toBeUndefined()
    expect(await listedNames(drops, '')).toEqual(['cable/d1/a.csv', 'station/d1/a.csv'])
    await drops.delete('cable/d1')
    expect(await listedNames(drops, '')).toEqual(['station/d1/a.csv'])
  })

  it('keeps a seller below its own prefix', async () => {
    setS3Credential(CABLE)
    const own = s3.open(s3.server.url('marketplace/drops/cable'))
    await own.check()
    await own.put('d1/a.csv', chunksOf('mine'))
    expect(await objectText(own, 'd1/a.csv')).toBe('mine')
    expect(await listedNames(own, 'd1/')).toEqual(['d1/a.csv'])
    for (const foreign of ['marketplace/drops/station', 'marketplace/drops/cable2', 'marketplace/drops', 'marketplace/objects', 'stores']) {
      const other = s3.open(s3.server.url(foreign))
      const refused = { reason: 'refused', word: 'AccessDenied' }
      await expect(other.put('d1/a.csv', chunksOf('forged'))).rejects.toMatchObject(refused)
      await expect(other.get('d1/a.csv')).rejects.toMatchObject(refused)
      await expect(listedNames(other, '')).rejects.toMatchObject(refused)
    }
    const client = s3.server.client(CABLE)
    const sideways = new PutObjectCommand({ Bucket: 'marketplace', Key: 'drops/cable/../station/d1/a.csv', Body: 'forged' })
    await expect(client.send(sideways)).rejects.toMatchObject({ name: 'AccessDenied' })
    client.destroy()
  })
})
