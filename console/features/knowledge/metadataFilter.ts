/** Reads `topic=payment, year=2026` as metadata. Numbers, true, false and null are parsed; undefined if malformed. */
export function metadataFilter(text: string): Record<string, unknown> | undefined {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  const entries = pairs.map((pair): [string, unknown] | undefined => {
    const at = pair.indexOf('=');
    return at < 1 ? undefined : [pair.slice(0, at).trim(), given(pair.slice(at + 1).trim())];
  });
  if (entries.some((entry) => entry === undefined)) return undefined;
  return Object.fromEntries(entries as [string, unknown][]);
}

function given(text: string): unknown {
  if (/^(-?\d+(\.\d+)?|true|false|null|".*")$/.test(text)) return JSON.parse(text);
  return text;
}
