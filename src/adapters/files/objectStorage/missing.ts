/** Returns undefined if the error means that the file does not exist. Throws every other error. For use in `catch`. */
export function undefinedWhenMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}
