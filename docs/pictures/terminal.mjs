import { text } from 'node:stream/consumers'

/** Draws some steps of the demo's output as a terminal: `npm run -s demo -- --exit | node docs/pictures/terminal.mjs 3 5 6 > docs/pictures/demo.svg`. */
const wanted = process.argv.slice(2)
const [WIDTH, LINE, MARGIN, BAR] = [930, 18, 18, 34]

// The output of a pipe is plain text; each step begins with its number.
const steps = (await text(process.stdin)).split(/\n(?=\d+ {2})/)
const shown = wanted.map((number) => steps.find((step) => step.startsWith(`${number}  `)) ?? fail(`The output has no step ${number}.`))
const lines = shown.flatMap((step) => [...step.trimEnd().split('\n'), '']).slice(0, -1)
const height = BAR + LINE * lines.length + MARGIN

process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>Steps ${wanted.join(', ')} of npm run demo</title>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#11161d"/>
${['#ff5f57', '#febc2e', '#28c840'].map((color, at) => `<circle cx="${MARGIN + at * 18}" cy="16" r="5.5" fill="${color}"/>`).join('')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="12.5" xml:space="preserve">
${lines.map(row).join('\n')}
</g>
</svg>
`)

/** @param {string} line @param {number} at */
function row(line, at) {
  const [color, weight] = /^\d+ {2}/.test(line) ? ['#ffffff', 700] : /^ {3}(GET|POST|PUT) /.test(line) ? ['#7ee0a1', 400] : ['#c6d0da', 400]
  return `<text x="${MARGIN}" y="${BAR + LINE * (at + 0.7)}" fill="${color}" font-weight="${weight}">${escaped(line)}</text>`
}

/** @param {string} line */
function escaped(line) {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
