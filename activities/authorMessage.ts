/**
 * An app's own message; of errors of our database, network or files only the code, because they name tables and hosts.
 */
export function authorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, clientVersion } = error as Partial<Record<'code' | 'syscall' | 'clientVersion', unknown>>;
  if (code === undefined && syscall === undefined && clientVersion === undefined) return error.message;
  return `An unexpected error occurred${typeof code === 'string' ? ` (${code})` : ''}`;
}
