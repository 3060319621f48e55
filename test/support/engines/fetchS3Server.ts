import { findS3Server } from './s3Server.ts'

// Builds the S3 server before the tests that need it.
await findS3Server()
