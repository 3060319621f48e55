import { findS3Server } from './s3Server.ts'

// Builds the S3 server of the tests ahead of them.
await findS3Server()
