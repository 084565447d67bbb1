import type { Config } from '../../config.ts';
import type { Mail } from '../../domain/access/mail.ts';

/** The server will never accept this mail: a retry is pointless. */
export class MailRefused extends Error {}

export interface Mailer {
  /** Resolves when the server has it. Throws MailRefused for a permanent refusal, else the transport's error. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Returns undefined if SMTP_URL is not set: this deployment sends no e-mail. */
export async function createMailer({
  SMTP_URL,
  MAIL_FROM,
  MAIL_TIMEOUT_MS,
}: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_TIMEOUT_MS'>): Promise<Mailer | undefined> {
  if (SMTP_URL === undefined) return undefined;
  const { createTransport } = await import('nodemailer');
  const timeouts = {
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
  };
  const transport = createTransport(
    { url: SMTP_URL, ...timeouts },
    {
      from: MAIL_FROM,
      // A mail contains only text of this code, so no file and no URL is read for it.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail(mail);
      } catch (error) {
        const { responseCode } = error as { responseCode?: number };
        // 5xx of RFC 5321 is permanent, but a refused login is a setting that the operator will fix.
        if (responseCode !== undefined && responseCode >= 550 && responseCode < 560) {
          throw new MailRefused(`the server answered ${responseCode}`, { cause: error });
        }
        throw error;
      }
    },
    close: () => transport.close(),
  };
}
