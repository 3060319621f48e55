import { S3_OWNER, type S3User } from '../engines/s3Server.ts'

/** Sets the credential of this process for S3 and removes all others that a machine may have; `none` removes it too. */
export function setS3Credential(user: S3User | 'none' = S3_OWNER): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name]
  Object.assign(process.env, s3Environment(user))
}

/** Returns the same settings for another process. */
export function s3Environment(user: S3User | 'none' = S3_OWNER): Record<string, string> {
  return {
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...(user !== 'none' && { AWS_ACCESS_KEY_ID: user.accessKeyId, AWS_SECRET_ACCESS_KEY: user.secretAccessKey }),
  }
}
