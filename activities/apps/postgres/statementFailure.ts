import pg from 'pg';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { type ActionCall, type ActionResult, awaitsAnswer, failed } from '../executor.ts';
import { RefusedAddress } from '../guard/addressGuard.ts';
import { ProtocolBroken, TooMuchSent } from '../guard/guardedSocket.ts';
import type { ServerSettings } from './serverSettings.ts';

/** Serialization, deadlocks, resources, a server that stops or starts: another attempt may succeed. */
const RETRYABLE = /^(40001|40P01|53...|55P03|57P0[1235]|08(000|001|003|004|006))$/;
/** Wrong user name or password, or a login that is not allowed from here. */
const REFUSED = /^28/;
const QUERY_CANCELED = '57014';
const TLS = /CERT|^ERR_TLS|^ERR_SSL|SSL connection/;

/** Converts an error to the failure of the step. Errors of the server have their SQLSTATE as code. */
export function statementFailure(server: ServerSettings, error: unknown, maxBytes: number): ActionResult {
  const where = `${server.host}:${server.port}`;
  if (error instanceof RefusedAddress) {
    return failed('POSTGRES_REFUSED_ADDRESS', `The connection to ${where} was refused: ${error.message}.`);
  }
  if (error instanceof TooMuchSent) {
    const message = `The result is larger than ${maxBytes} bytes: ask for fewer columns or a lower limit. Nothing was changed.`;
    return failed('POSTGRES_RESULT_TOO_LARGE', message);
  }
  if (error instanceof ProtocolBroken) {
    return failed('POSTGRES_PROTOCOL_BROKEN', `The server at ${where} does not use the Postgres protocol.`);
  }
  if (error instanceof pg.DatabaseError && error.code !== undefined) return serverFailure(server, error, error.code);
  const { code, message } = error as NodeJS.ErrnoException;
  if (TLS.test(code ?? '') || TLS.test(message)) {
    return failed('POSTGRES_TLS_FAILED', `No encrypted connection to ${where}: ${code ?? message}.`);
  }
  const why = code ?? 'it ended';
  return failed('POSTGRES_CONNECTION_FAILED', `The connection to ${where} was lost (${why}).`, { retryable: true });
}

/** The server's limit starts later than ours and is equally long, but sometimes fires first. */
export const isServersTimeout = (error: unknown, elapsedMs: number, timeoutMs: number): boolean =>
  error instanceof pg.DatabaseError && error.code === QUERY_CANCELED && elapsedMs >= timeoutMs;

/** For errors during the commit. If the server itself rejects it, e.g. for a deferred constraint, nothing was done. */
export function commitFailure(
  call: Pick<ActionCall, 'answer'>,
  server: ServerSettings,
  error: unknown,
  maxBytes: number,
): ActionResult {
  if (error instanceof pg.DatabaseError && error.severity === 'ERROR') {
    awaitsAnswer(call, false);
    return statementFailure(server, error, maxBytes);
  }
  const message = `The connection to ${server.host}:${server.port} was lost while the transaction was committed: whether it was is not known.`;
  return failed('POSTGRES_OUTCOME_UNKNOWN', message);
}

function serverFailure({ password, user }: ServerSettings, error: pg.DatabaseError, code: string): ActionResult {
  if (REFUSED.test(code)) return failed(code, 'The server rejected the user name or the password.');
  const place = error.position === undefined ? '' : ` (at character ${error.position} of the statement)`;
  const message = String(maskSecrets(`${error.message}${place}`, [password, user]));
  return failed(code, message, { retryable: RETRYABLE.test(code) });
}
