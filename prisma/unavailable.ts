import { somePart } from './errorParts.ts';
import { OF_THE_DATA } from './refusedData.ts';
import { someSqlState } from './sqlState.ts';

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
