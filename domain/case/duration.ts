const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `3d` or `1h30m` in milliseconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) return undefined;
  return Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit as string] ?? 0), 0));
}
