const DEEPEST = 6;

/** Drivers, adapters and Prisma wrap errors. */
export function somePart(error: unknown, holds: (part: Record<string, unknown>) => boolean, depth = 0): boolean {
  if (depth > DEEPEST || typeof error !== 'object' || error === null) return false;
  if (holds(error as Record<string, unknown>)) return true;
  const { cause, meta, driverAdapterError, errors } = error as Record<string, unknown>;
  const inner = [cause, meta, driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((part) => somePart(part, holds, depth + 1));
}

/** Five characters that begin with a Postgres class. Codes of Node (`EPIPE`) and Prisma (`P1001`) look different. */
const SQLSTATE = /^([0-5]\w|72|F0|HV|P0|XX)\w{3}$/;

/** Tests the SQLSTATE of an error and of its causes: `code` is the driver's, `originalCode` Prisma's. */
export function someSqlState(error: unknown, holds: (sqlState: string) => boolean): boolean {
  return somePart(error, ({ code, originalCode }) =>
    [code, originalCode].some((each) => typeof each === 'string' && SQLSTATE.test(each) && holds(each)),
  );
}

/** SQLSTATE classes: 22 invalid values, 54 size limits, 23 violated constraints, P0 errors raised by a trigger. */
const OF_THE_DATA = /^(22|23|54|P0)/;

export function isDataRefused(error: unknown): boolean {
  return someSqlState(error, (sqlState) => OF_THE_DATA.test(sqlState));
}

const UNIQUE_VIOLATION = '23505';

/** Accepts errors of Prisma's typed client, of `$queryRaw` and of the driver (rowsOf). */
export function isUniqueViolation(error: unknown): boolean {
  return somePart(error, ({ code, originalCode }) => code === UNIQUE_VIOLATION || originalCode === UNIQUE_VIOLATION);
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);
/** Prisma: unreachable, timed out, closed, no connection in the pool. */
const PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);
const ADAPTER = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]);
/** SQLSTATE classes of invalid statements. Callers cannot wait until a missing table is added. */
const OF_THE_STATEMENT = /^(0A|21|42)/;
const NO_RIGHT = '42501';
/** Messages of pg errors without a code, and of a database that shuts down with an ambiguous code. */
const MESSAGES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'is not currently accepting connections',
  // The embedded database has no socket until it has started.
  'connect ENOENT',
];

/** The same statement may succeed later: no answer, disk full, read-only, cancelled. True for all but data errors. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (someSqlState(error, (sqlState) => !OF_THE_DATA.test(sqlState))) return true;
  return somePart(error, ({ code, kind, originalMessage, message }) => {
    if (typeof code === 'string' && (NETWORK.has(code) || PRISMA.has(code))) return true;
    if (typeof kind === 'string' && ADAPTER.has(kind)) return true;
    const said = `${message} ${originalMessage}`;
    return MESSAGES.some((text) => said.includes(text));
  });
}

/** Returns whether the statement does not match the schema. Finished work waits for a repair; a caller does not. */
export function isStatementRefused(error: unknown): boolean {
  return someSqlState(error, (sqlState) => OF_THE_STATEMENT.test(sqlState) && sqlState !== NO_RIGHT);
}
