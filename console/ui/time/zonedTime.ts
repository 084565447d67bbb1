/** In which a person reads and writes times: that of their machine, or UTC. */
export type Zone = 'local' | 'UTC';

/** A time as a field of a form shows it (`2026-11-28T02:00`); what is no time is no text. */
export function fieldOfTime(time: string | undefined, zone: Zone): string {
  const at = new Date(time ?? '');
  if (Number.isNaN(at.getTime())) return '';
  // Shifted by the zone, the time of UTC reads as that of the machine.
  const shifted = zone === 'UTC' ? at : new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The time of a field (`2026-11-28T02:00`), or the begin of a day (`2026-11-28`), as ISO 8601; undefined: it holds none. */
export function timeOfField(text: string, zone: Zone): string | undefined {
  const whole = text.length === 10 ? `${text}T00:00` : text;
  const at = new Date(zone === 'UTC' ? `${whole}Z` : whole);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
