import type { ImapFlow } from 'imapflow';
import { z } from 'zod';
import { type ActionFailure, failed } from '../executor.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { type MailServer, mailServerSettings } from '../mail/serverSettings.ts';
import { mailboxFailure } from './mailboxFailure.ts';
import { PORTS, type SessionOptions, withMailbox } from './session.ts';

/** Control characters would be sent as a literal, which some servers do not read. */
export const MAILBOX = z
  .string()
  .max(255)
  .regex(/^[^\p{Cc}]+$/u, 'expected the name of a mailbox');

export interface MailboxCall extends Omit<SessionOptions, 'guard'> {
  workspaceId: string | undefined;
  credentials: Record<string, string> | undefined;
}

export type InMailbox = <T>(
  call: MailboxCall,
  work: (client: ImapFlow) => Promise<T>,
) => Promise<{ ok: true; value: T } | ActionFailure>;

/** Works in a session of its own. Throws the signal's reason if it is aborted; failures of the server are values. */
export function buildInMailbox(settings: GuardSettings): InMailbox {
  const guardOf = byWorkspace(settings, 'imap', buildAddressGuard);
  return async ({ workspaceId, credentials = {}, ...options }, work) => {
    options.signal.throwIfAborted();
    const guard = guardOf(workspaceId);
    let server: MailServer;
    try {
      server = mailServerSettings(credentials, PORTS, guard);
    } catch (error) {
      if (error instanceof UnusableCredentials) return failed('INVALID_INPUT', `connection: ${error.message}`);
      throw error;
    }
    try {
      return { ok: true, value: await withMailbox(server, { ...options, guard }, work) };
    } catch (error) {
      options.signal.throwIfAborted();
      return mailboxFailure(server, error);
    }
  };
}
