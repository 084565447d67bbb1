/** An IANA name as the engine knows it, e.g. Europe/Berlin; undefined where there is no such zone. */
export function knownTimeZone(name: string): string | undefined {
  // Offsets such as +01:00 are no zones: they know no summer time.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Europe/berlin is understood; its proper spelling is taken. An old name stays.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}
