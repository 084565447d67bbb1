import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { type ActionCall, type ActionResult, awaitsAnswer, failed } from '../executor.ts';
import { RefusedAddress } from '../guard/addressGuard.ts';
import { ProtocolBroken, TooMuchSent } from '../guard/guardedSocket.ts';
import type { MySqlServer } from './serverSettings.ts';

interface ServerError extends Error {
  code?: string;
  errno?: number;
  sqlState?: string;
  sqlMessage?: string;
}

/** Deadlocks, locks, too many connections, a server that stops: another attempt may succeed. */
const RETRYABLE = new Set([
  ...['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS'],
  ...['ER_SERVER_SHUTDOWN', 'ER_NORMAL_SHUTDOWN', 'ER_CONNECTION_KILLED', 'ER_CHECKREAD'],
]);
/** Wrong user name or password, or a login that is not allowed from here. */
const REFUSED = new Set(['ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'ER_HOST_NOT_PRIVILEGED']);
/** MySQL uses the first number, MariaDB the second. */
const TIMEOUTS = new Set([3024, 1969]);
const TLS = /CERT|TLS|SSL/;

const isServers = (error: unknown): error is ServerError => typeof (error as ServerError).sqlState === 'string';

/** Errors of the server have mysql2's name of their number as code, such as ER_DUP_ENTRY. */
export function statementFailure(server: MySqlServer, error: unknown, maxBytes: number): ActionResult {
  const where = `${server.host}:${server.port}`;
  if (error instanceof RefusedAddress) {
    return failed('MYSQL_REFUSED_ADDRESS', `The connection to ${where} was refused: ${error.message}.`);
  }
  if (error instanceof TooMuchSent) {
    const message = `The result is larger than ${maxBytes} bytes: ask for fewer columns or a lower limit. Nothing was changed.`;
    return failed('MYSQL_RESULT_TOO_LARGE', message);
  }
  const { code = '', message } = error as ServerError;
  if (error instanceof ProtocolBroken || /^(PROTOCOL_(?!CONNECTION_LOST)|MALFORMED|HANDSHAKE_UNKNOWN)/.test(code)) {
    return failed('MYSQL_PROTOCOL_BROKEN', `The server at ${where} does not use the MySQL protocol.`);
  }
  if (isServers(error)) return serverFailure(server, error);
  if (TLS.test(code) || TLS.test(message)) {
    return failed('MYSQL_TLS_FAILED', `No encrypted connection to ${where}: ${code === '' ? message : code}.`);
  }
  const why = code === '' ? 'it ended' : code;
  return failed('MYSQL_CONNECTION_FAILED', `The connection to ${where} was lost (${why}).`, { retryable: true });
}

export const isServersTimeout = (error: unknown): boolean => isServers(error) && TIMEOUTS.has(error.errno ?? 0);

/** For errors during the commit. If the server itself rejects it, nothing was done. */
export function commitFailure(
  call: Pick<ActionCall, 'answer'>,
  server: MySqlServer,
  error: unknown,
  maxBytes: number,
): ActionResult {
  if (isServers(error)) {
    awaitsAnswer(call, false);
    return statementFailure(server, error, maxBytes);
  }
  const message = `The connection to ${server.host}:${server.port} was lost while the transaction was committed: whether it was is not known.`;
  return failed('MYSQL_OUTCOME_UNKNOWN', message);
}

function serverFailure({ password, user }: MySqlServer, error: ServerError): ActionResult {
  const code = error.code !== undefined && /^ER_\w+$/.test(error.code) ? error.code : `ER_${error.errno ?? 0}`;
  if (REFUSED.has(code)) return failed(code, 'The server rejected the user name or the password.');
  const message = String(maskSecrets(error.sqlMessage ?? error.message, [password, user]));
  return failed(code, message, { retryable: RETRYABLE.has(code), details: { sqlState: error.sqlState ?? '' } });
}
