/** Apps that only compute. Tests run their actions instead of mocking them. */
const COMPUTING: ReadonlySet<string> = new Set(['core', 'text', 'crypto', 'code']);

export function isComputingApp(appId: string | null | undefined): boolean {
  return appId !== null && appId !== undefined && COMPUTING.has(appId);
}
