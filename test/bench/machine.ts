import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'

/** Where figures come from, as docs/benchmarks.json says it. */
export function machineHere() {
  return {
    platform: `${platform()}-${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
}
