import type { Mail } from '../../domain/access/mail.ts';
import { type ClaimedMail, claimMails, deleteMail } from '../../prisma/store/mail/mails.ts';
import { type Mailer, MailRefused } from '../mail/mailer.ts';
import { SealBroken, type Sealer } from '../secrets/sealer.ts';
import { mailPlace } from '../secrets/sealPlace.ts';
import { type Duty, type DutyParts, inRounds } from './duty.ts';

const AT_ONCE = 10;

interface MailParts extends Pick<DutyParts, 'database' | 'log'> {
  mailer: Mailer;
  sealer: Sealer;
}

/** Sends mails by SMTP. A failed mail is retried until it expires; one may arrive twice if a process dies. */
export function sendMails(parts: MailParts, intervalMs: number): Duty {
  const send = async () => {
    const mails = await claimMails(parts.database, AT_ONCE);
    await Promise.all(mails.map((mail) => sendOne(parts, mail)));
    return mails.length === AT_ONCE;
  };
  return { name: 'send mails', intervalMs, run: (stopped) => inRounds(stopped, send) };
}

async function sendOne({ database, mailer, sealer, log }: MailParts, mail: ClaimedMail): Promise<void> {
  const { id, attempts } = mail;
  try {
    await mailer.send(JSON.parse(sealer.open(mailPlace(id), mail)) as Mail);
  } catch (error) {
    if (!(error instanceof MailRefused || error instanceof SealBroken)) {
      log.warn({ err: error, mailId: id, attempts }, 'a mail was not sent: it is tried again');
      return;
    }
    log.error({ err: error, mailId: id }, 'a mail cannot be sent');
  }
  await deleteMail(database, id);
}
