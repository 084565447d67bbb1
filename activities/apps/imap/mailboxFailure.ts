import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { type ActionFailure, failed } from '../executor.ts';
import { RefusedAddress } from '../guard/addressGuard.ts';
import type { MailServer } from '../mail/serverSettings.ts';

interface ImapError extends Error {
  code?: string;
  authenticationFailed?: boolean;
  mailboxMissing?: boolean;
  responseStatus?: string;
  responseText?: string;
  tlsFailed?: boolean;
}

/** Thrown if there is no mail with this UID, or the mailbox has other UIDs now. */
export class NoMail extends Error {}

const MAX_RESPONSE = 500;
const TLS = /CERT|TLS|SSL/;

/** Whether the error is an answer of the server. */
export function isRefusal(error: unknown): boolean {
  return (error as ImapError).responseStatus !== undefined;
}

export function mailboxFailure(server: MailServer, error: unknown): ActionFailure {
  const where = `${server.host}:${server.port}`;
  if (error instanceof NoMail) return failed('IMAP_NO_MAIL', error.message);
  if (error instanceof RefusedAddress) {
    return failed('IMAP_REFUSED_ADDRESS', `The connection to ${where} was refused: ${error.message}.`);
  }
  const { code = '', responseStatus, responseText = '', message, ...about } = error as ImapError;
  const said = maskSecrets(responseText.slice(0, MAX_RESPONSE), [server.login?.password ?? '']);
  if (about.authenticationFailed) return failed('IMAP_LOGIN_REFUSED', `${where} rejected the login: ${said}.`);
  if (about.mailboxMissing || code === 'MailboxNotFound') {
    return failed('IMAP_NO_MAILBOX', `${where} does not have this mailbox: ${said}.`);
  }
  if (responseStatus !== undefined) return failed('IMAP_REFUSED', `${where} refused the command: ${said}.`);
  if (about.tlsFailed || TLS.test(code) || TLS.test(message)) {
    return failed('IMAP_TLS_FAILED', `No encrypted connection to ${where}: ${code === '' ? message : code}.`);
  }
  const why = code === '' ? 'it ended' : code;
  return failed('IMAP_CONNECTION_FAILED', `The connection to ${where} was lost (${why}).`, { retryable: true });
}
