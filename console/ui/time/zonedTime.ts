/** The zone in which a person reads and enters times: that of their machine, or UTC. */
export type Zone = 'local' | 'UTC';

/** Formats a time for an input (`2026-11-28T02:00`); '' if it is invalid. */
export function fieldOfTime(time: string | undefined, zone: Zone): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  // Shifted by the offset, the UTC text shows the local time.
  const shifted = zone === 'UTC' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Parses an input's time (`2026-11-28T02:00`) or day (`2026-11-28`) to ISO 8601; undefined if it is invalid. */
export function timeOfField(text: string, zone: Zone): string | undefined {
  const whole = text.length === 10 ? `${text}T00:00` : text;
  const at = new Date(zone === 'UTC' ? `${whole}Z` : whole);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
