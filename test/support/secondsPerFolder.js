import { readTimings } from './timings.js'

// `node test/support/secondsPerFolder.js`: the table of docs/build/development.md, from the last run of each file here.
const folders = new Map()
for (const [file, timing] of Object.entries(readTimings())) {
  const [, folder = ''] = file.split('/')
  const name = folder.includes('.') ? 'test/' : `test/${folder}/`
  const sums = folders.get(name) ?? { files: 0, load: 0, setup: 0, run: 0, seconds: 0 }
  sums.files += 1
  for (const part of ['load', 'setup', 'run', 'seconds']) sums[part] += timing[part]
  folders.set(name, sums)
}
const rows = [...folders].sort(([, one], [, other]) => other.seconds - one.seconds)
process.stdout.write('| Folder | Files | Load | Set-up | Run | Seconds |\n|---|---|---|---|---|---|\n')
for (const [folder, sums] of rows)
  process.stdout.write(`| \`${folder}\` | ${[sums.files, sums.load, sums.setup, sums.run, sums.seconds].map(Math.round).join(' | ')} |\n`)
const total = rows.reduce((sum, [, { seconds }]) => sum + seconds, 0)
process.stdout.write(`| all | ${rows.reduce((sum, [, { files }]) => sum + files, 0)} | | | | ${Math.round(total)} |\n`)
