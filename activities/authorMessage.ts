/**
 * Returns what a workflow's author may read of an error: the app's own message, but only the code of errors of our
 * database, network or files, which name tables, hosts and paths.
 */
export function authorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, clientVersion } = error as Partial<Record<'code' | 'syscall' | 'clientVersion', unknown>>;
  if (code === undefined && syscall === undefined && clientVersion === undefined) return error.message;
  return `An unexpected error occurred${typeof code === 'string' ? ` (${code})` : ''}`;
}
