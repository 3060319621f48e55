/** For `catch`: undefined if the error says that there is no such file. Throws every other error. */
export function undefinedWhenMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}
