const DEEPEST = 6;

/** Whether it holds for a failure or for one that it was made of: drivers, adapters and Prisma wrap each other's. */
export function somePart(error: unknown, holds: (part: Record<string, unknown>) => boolean, depth = 0): boolean {
  if (depth > DEEPEST || typeof error !== 'object' || error === null) return false;
  if (holds(error as Record<string, unknown>)) return true;
  const { cause, meta, driverAdapterError, errors } = error as Record<string, unknown>;
  const inner = [cause, meta, driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((part) => somePart(part, holds, depth + 1));
}

/** Five signs, of the classes that Postgres has. Codes of Node (`EPIPE`) and of Prisma (`P1001`) look otherwise. */
const SQLSTATE = /^([0-5]\w|72|F0|HV|P0|XX)\w{3}$/;

/** Whether it holds for a SQLSTATE that a failure carries, or one that it was made of: `code` is the driver's, `originalCode` Prisma's. */
export function someSqlState(error: unknown, holds: (sqlState: string) => boolean): boolean {
  return somePart(error, ({ code, originalCode }) =>
    [code, originalCode].some((each) => typeof each === 'string' && SQLSTATE.test(each) && holds(each)),
  );
}

/**
 * SQLSTATE: class 22 is what a value is, class 54 is how much of it there is, class 23 is what stands against it in other
 * rows, class P0 is what a trigger of the database says of it.
 */
export const OF_THE_DATA = /^(22|23|54|P0)/;

/** Whether the database refuses what a statement brings: it will again, however often it is tried. */
export function isDataRefused(error: unknown): boolean {
  return someSqlState(error, (sqlState) => OF_THE_DATA.test(sqlState));
}

/** SQLSTATE of the driver (`code`) and of Prisma's adapter (`originalCode`). */
const UNIQUE_VIOLATION = '23505';

/**
 * Whether a statement failed because another row has the same unique values: of Prisma's typed client, of `$queryRaw`, or
 * of the driver (rowsOf).
 */
export function isUniqueViolation(error: unknown): boolean {
  return somePart(error, ({ code, originalCode }) => code === UNIQUE_VIOLATION || originalCode === UNIQUE_VIOLATION);
}

const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']);
/** Prisma's: unreachable, timed out, closed, no connection in the pool. */
const PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2037']);
/** Kinds of Prisma's driver adapters. */
const ADAPTER = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
]);
/** SQLSTATE: what a statement is. A database that lacks a table or a right for it may have it soon; a caller cannot wait for that. */
const OF_THE_STATEMENT = /^(0A|21|42)/;
/** A right that was taken away. */
const NO_RIGHT = '42501';
/** What pg throws without a code, and what a database that is being taken away says under a code of many meanings. */
const MESSAGES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'is not currently accepting connections',
  // The socket of the embedded one is not there before it has started.
  'connect ENOENT',
];

/**
 * Whether a failure says that the database does not do its work now, whatever it was asked: it does not answer, or it
 * refuses (disk full, read-only after a failover, statement cancelled). The same may succeed later. All but what is of
 * the data itself.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (someSqlState(error, (sqlState) => !OF_THE_DATA.test(sqlState))) return true;
  return somePart(error, ({ code, kind, originalMessage, message }) => {
    if (typeof code === 'string' && (NETWORK.has(code) || PRISMA.has(code))) return true;
    if (typeof kind === 'string' && ADAPTER.has(kind)) return true;
    const said = `${message} ${originalMessage}`;
    return MESSAGES.some((text) => said.includes(text));
  });
}

/** Of those: whether it is the statement that does not fit the database. Work that is done waits for it; a caller need not. */
export function isStatementRefused(error: unknown): boolean {
  return someSqlState(error, (sqlState) => OF_THE_STATEMENT.test(sqlState) && sqlState !== NO_RIGHT);
}
