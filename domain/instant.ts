const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
/** The range that both a Postgres timestamp and a four-digit year allow. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses an ISO 8601 text; undefined for other texts and for dates that do not exist. */
export function instantOf(text: string): Date | undefined {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  // Date reads 31 February as 3 March. It also has a year 0, whose last hours an offset may shift into year 1.
  if (day === undefined || Number(year) === 0 || Number(day) > daysOf(Number(year), Number(month))) return undefined;
  const ms = Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms) : undefined;
}

/** RFC 3339, seconds optional, an existing date, and an offset that Postgres accepts: less than 16 hours. */
export function isTimestamp(text: string): boolean {
  return /[Tt].+(?:[Zz]|[+-](?:0\d|1[0-5]):\d{2})$/.test(text) && instantOf(text.toUpperCase()) !== undefined;
}

function daysOf(year: number, month: number): number {
  // Day 0 is the last day of the previous month. Date.UTC maps years below 100 to the 20th century, hence 400 more.
  return new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
}
