import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makingPython, PYTHON_CLIENT } from './pythonTools.ts'

// `npm run client:python`: makes the code of the Python client again from docs/openapi.json.
const { status } = spawnSync(await makingPython(), [join(PYTHON_CLIENT, 'make/make.py')], { stdio: 'inherit' })
process.exitCode = status ?? 1
