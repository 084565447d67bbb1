import { durationWritten } from '../../domain/durationWords.ts';
import { RefusedAddress } from '../apps/guard/addressGuard.ts';
import { HostNotAllowed, UnsendableInput } from '../apps/http/outgoing.ts';
import { isRetryableStatus } from '../apps/http/requestFailure.ts';
import { McpAnswerTooLarge, McpBrokeOff } from './mcpAnswers.ts';
import { McpUnclear } from './mcpMessages.ts';

interface McpFailure {
  /** The end of a sentence about the server. */
  said: string;
  isRetryable: boolean;
  /** A request may have left, and no answer came. */
  isLost: boolean;
}

/** A request with these errors of the connection has not left. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_.*|.*CERT.*)$/;

/** Returns what an error of a session means. */
export async function mcpFailure(error: unknown, timeoutMs: number): Promise<McpFailure> {
  const cause = causeOf(error);
  const final = (said: string) => ({ said, isRetryable: false, isLost: false });
  const passing = (said: string, isLost = true) => ({ said, isRetryable: true, isLost });
  const own = ownReason(cause);
  if (own !== undefined) return final(own);
  if (cause instanceof McpBrokeOff) return passing('ended its answer in the middle');
  const { StreamableHTTPError } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ErrorCode, McpError } = await import('@modelcontextprotocol/sdk/types.js');
  if (cause instanceof StreamableHTTPError) {
    const status = cause.code ?? 0;
    const said = status > 0 ? `answered ${status}` : 'answered with an invalid message of the protocol';
    return isRetryableStatus(status) ? passing(said, false) : final(said);
  }
  if (cause instanceof McpError) {
    if (cause.code === ErrorCode.RequestTimeout || cause.code === ErrorCode.ConnectionClosed)
      return passing(late(timeoutMs));
    return final(`rejected the call: ${cause.message}`);
  }
  if (cause instanceof Error && (cause.name === 'AbortError' || cause.name === 'TimeoutError'))
    return passing(late(timeoutMs));
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const why = code ?? (cause instanceof Error ? cause.name : 'no answer');
  return passing(`could not be reached (${why})`, !UNSENT.test(why));
}

/** For requests that we do not send and answers that we reject: a retry ends the same way. */
function ownReason(cause: unknown): string | undefined {
  if (cause instanceof RefusedAddress || cause instanceof HostNotAllowed || cause instanceof UnsendableInput)
    return `was not called: ${cause.message}`;
  if (cause instanceof McpUnclear) return `answered ${cause.message}`;
  return cause instanceof McpAnswerTooLarge ? `answered too much: ${cause.message}` : undefined;
}

function late(timeoutMs: number): string {
  return `broke off, or did not answer within ${durationWritten(timeoutMs)}`;
}

function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause;
}
