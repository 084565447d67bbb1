/** What callers are told of a turn's failure: its code, never what the provider said. */
export function errorTextOf(code: string | null): string {
  return `The turn failed: ${code ?? 'INTERNAL'}`;
}
