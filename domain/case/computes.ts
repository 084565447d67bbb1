/** Apps that only compute: their actions run in a test as they do in the world. */
const COMPUTING: ReadonlySet<string> = new Set(['core', 'text', 'crypto', 'code']);

export function computes(appId: string | null | undefined): boolean {
  return appId !== null && appId !== undefined && COMPUTING.has(appId);
}
