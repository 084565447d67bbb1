const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
const WHOLE = /^(?:\d+(?:\.\d+)?(?:ms|[dhms]))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|[dhms])/g;

/** Parses `90s`, `3d` or `1h30m`, with fractions. Undefined for other texts. */
export function durationMs(text: string): number | undefined {
  if (!WHOLE.test(text)) return undefined;
  return [...text.matchAll(PART)].reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
}

export function durationText(ms: number): string {
  let left = Math.max(0, Math.round(ms / 1_000) * 1_000) || 0;
  let text = '';
  for (const [unit, size] of Object.entries(UNIT_MS)) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === '' ? '0s' : text;
}
