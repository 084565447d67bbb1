import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { z } from 'zod';
import type { JsonObject } from '../../../domain/json.ts';
import { jsonObject, withInputs } from '../checkedInputs.ts';
import { awaitsAnswer, type Executor, failed, succeeded } from '../executor.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { mailServerSettings } from '../mail/serverSettings.ts';
import { composeMessage, type Message, UnsendableMail } from './message.ts';
import { isReply, sendFailure } from './sendFailure.ts';
import { PORTS, withSession } from './session.ts';

export interface SmtpSettings extends GuardSettings {
  /** Maximum bytes of an e-mail. */
  maxMailBytes: number;
}

const TEXT = z.string();

export function buildSend(settings: SmtpSettings): Executor {
  const guardOf = byWorkspace(settings, 'smtp', buildAddressGuard);
  return withInputs(
    {
      to: TEXT.trim().min(1),
      ...{ cc: TEXT.optional(), bcc: TEXT.optional(), from: TEXT.optional(), replyTo: TEXT.optional() },
      ...{ subject: TEXT.default(''), text: TEXT.default(''), html: TEXT.optional(), headers: jsonObject.optional() },
    },
    async (inputs, call) => {
      const { connection, idempotencyKey, origin, signal } = call;
      signal.throwIfAborted();
      const guard = guardOf(origin?.workspaceId);
      const credentials = connection?.credentials ?? {};
      let message: Message;
      let server: ReturnType<typeof mailServerSettings>;
      try {
        server = mailServerSettings(credentials, PORTS, guard);
        message = await composeMessage(withoutEmpty(inputs), idempotencyKey, credentials.user ?? '');
      } catch (error) {
        if (error instanceof UnusableCredentials) return failed('INVALID_INPUT', `connection: ${error.message}`);
        if (error instanceof UnsendableMail) return failed('INVALID_INPUT', error.message);
        throw error;
      }
      if (message.bytes.length > settings.maxMailBytes) {
        return failed('SMTP_TOO_LARGE', `The e-mail is larger than ${settings.maxMailBytes} bytes.`);
      }
      const body = Readable.from([message.bytes]);
      let wasSent = false;
      // Read only after the server has agreed to the recipients.
      body.once('end', () => {
        wasSent = true;
        awaitsAnswer(call, true);
      });
      try {
        return succeeded(await withSession(server, { guard, signal }, (smtp) => deliver(smtp, message, body)));
      } catch (error) {
        signal.throwIfAborted();
        const failure = sendFailure(server, error, wasSent);
        if (isReply(error)) awaitsAnswer(call, false);
        return failure;
      }
    },
  );
}

/** Forms send empty texts for empty fields. */
function withoutEmpty<T extends object>(inputs: T): T {
  const optional = ['cc', 'bcc', 'from', 'replyTo', 'html'];
  return Object.fromEntries(
    Object.entries(inputs).filter(([key, value]) => value !== '' || !optional.includes(key)),
  ) as T;
}

function deliver(connection: SMTPConnection, { id, envelope }: Message, body: Readable): Promise<JsonObject> {
  return new Promise((done, fail) => {
    connection.send(envelope, body, (error, info) => {
      if (error) return fail(error);
      const addresses = (list: readonly unknown[]) => list.map(String);
      done({ messageId: id, accepted: addresses(info.accepted), rejected: addresses(info.rejected) });
    });
  });
}
