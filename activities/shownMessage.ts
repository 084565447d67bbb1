/**
 * What the author of a workflow may read of an error that an app threw: the app's own words. An error of our database, our
 * network or our files names tables, hosts and paths: of it the code alone.
 */
export function shownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, clientVersion } = error as Partial<Record<'code' | 'syscall' | 'clientVersion', unknown>>;
  if (code === undefined && syscall === undefined && clientVersion === undefined) return error.message;
  return `An unexpected error occurred${typeof code === 'string' ? ` (${code})` : ''}`;
}
