import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { type ActionResult, failed } from '../executor.ts';
import { RefusedAddress } from '../guard/addressGuard.ts';
import type { MailServer } from '../mail/serverSettings.ts';

interface SmtpError extends Error {
  code?: string;
  /** The socket's own code. */
  originalCode?: string;
  response?: string;
  responseCode?: number;
}

const MAX_RESPONSE = 500;
const TLS = /CERT|TLS|SSL/;

/** Whether the error is a reply of the server. */
export function isReply(error: unknown): boolean {
  return (error as SmtpError).responseCode !== undefined;
}

/** `wasSent`: the whole message was sent, so without an answer its outcome is unknown. */
export function sendFailure(server: MailServer, error: unknown, wasSent: boolean): ActionResult {
  const where = `${server.host}:${server.port}`;
  if (error instanceof RefusedAddress) {
    return failed('SMTP_REFUSED_ADDRESS', `The connection to ${where} was refused: ${error.message}.`);
  }
  const { code = '', originalCode = code, response, responseCode, message } = error as SmtpError;
  if (code === 'ETLS') return failed('SMTP_TLS_FAILED', `No encrypted connection to ${where}: ${plain(message)}.`);
  if (responseCode !== undefined) {
    const said = maskSecrets((response ?? '').slice(0, MAX_RESPONSE), [server.login?.password ?? '']);
    const details = { responseCode, response: said };
    if (code === 'EAUTH') {
      const retryable = responseCode < 500;
      return failed('SMTP_LOGIN_REFUSED', `${where} rejected the login: ${said}.`, { retryable, details });
    }
    // RFC 5321: 4xx is temporary, 5xx permanent.
    return responseCode < 500
      ? failed('SMTP_TRY_AGAIN', `${where} does not accept the e-mail now: ${said}.`, { retryable: true, details })
      : failed('SMTP_REFUSED', `${where} refused the e-mail: ${said}.`, { details });
  }
  if (wasSent) {
    const unknown = `The connection to ${where} was lost after the e-mail was sent: whether the server took it is not known.`;
    return failed('SMTP_OUTCOME_UNKNOWN', unknown);
  }
  if (code === 'EAUTH') return failed('SMTP_LOGIN_REFUSED', `${where} offers no login that this app knows.`);
  if (code === 'EMESSAGE') return failed('SMTP_TOO_LARGE', `${where} does not accept e-mails of this size.`);
  if (TLS.test(originalCode) || TLS.test(message)) {
    return failed('SMTP_TLS_FAILED', `No encrypted connection to ${where}: ${plain(message)}.`);
  }
  if (code === 'EPROTOCOL') return failed('SMTP_PROTOCOL_BROKEN', `The server at ${where} does not use SMTP.`);
  const why = originalCode === '' ? 'it ended' : originalCode;
  return failed('SMTP_CONNECTION_FAILED', `The connection to ${where} was lost (${why}).`, { retryable: true });
}

function plain(message: string): string {
  return (message.split('\n')[0] ?? '').slice(0, 200);
}
