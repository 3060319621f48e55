const { defineConfig } = require('@medusajs/framework/utils')

const origin = 'http://127.0.0.1'

/** As it comes, without its admin pages: workflows, cache and events in memory, everything else in Postgres. */
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: origin,
      adminCors: origin,
      authCors: origin,
      jwtSecret: process.env.SECRET,
      cookieSecret: process.env.SECRET,
    },
  },
})
