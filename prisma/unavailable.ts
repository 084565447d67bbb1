import { somePart } from './errorParts.ts';

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
/** SQLSTATE: class 08 is the connection's, 57P0x a server that starts or stops, 53300 one that is full. */
const SQLSTATE = /^(08\w{3}|57P0[1-5]|53300)$/;
/** What pg throws without a code, and what a database that is being taken away says under a code of many meanings. */
const MESSAGES = [
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
  'is not currently accepting connections',
];

/** Whether a failure says that the database does not answer, as against that a statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return somePart(error, ({ code, kind, originalCode, originalMessage, message }) => {
    if (typeof code === 'string' && (NETWORK.has(code) || PRISMA.has(code) || SQLSTATE.test(code))) return true;
    if (typeof originalCode === 'string' && SQLSTATE.test(originalCode)) return true;
    if (typeof kind === 'string' && ADAPTER.has(kind)) return true;
    const said = `${message} ${originalMessage}`;
    return MESSAGES.some((text) => said.includes(text));
  });
}
