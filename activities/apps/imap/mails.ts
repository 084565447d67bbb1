import type { ImapFlow } from 'imapflow';
import { z } from 'zod';
import { withInputs } from '../checkedInputs.ts';
import { type ActionCall, type ActionResult, awaitsAnswer, type Executor, failed, succeeded } from '../executor.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { buildInMailbox, MAILBOX } from './inMailbox.ts';
import { NoMail } from './mailboxFailure.ts';

const MAIL = { mailbox: MAILBOX.default('INBOX'), uid: z.int().min(1), uidValidity: z.string().optional() };
const FLAG = z
  .string()
  .regex(/^[A-Za-z$][\w.-]{0,99}$/, 'expected seen, answered, flagged, deleted, draft or a keyword');
const FLAGS = z.array(FLAG).max(50).default([]);
const SYSTEM_FLAG = /^(seen|answered|flagged|deleted|draft)$/i;

interface Mail {
  mailbox: string;
  uid: number;
  uidValidity?: string | undefined;
}

export function buildMails(settings: GuardSettings): Record<'move' | 'flag', Executor> {
  const inMailbox = buildInMailbox(settings);

  async function withMail(
    mail: Mail,
    { connection, origin, signal }: ActionCall,
    work: (client: ImapFlow) => Promise<ActionResult>,
  ): Promise<ActionResult> {
    const { credentials } = connection ?? {};
    const call = { workspaceId: origin?.workspaceId, credentials, signal, mailbox: mail.mailbox };
    const done = await inMailbox(call, async (client) => {
      await requireMail(client, mail);
      return work(client);
    });
    return done.ok ? done.value : done;
  }

  return {
    move: withInputs({ ...MAIL, to: MAILBOX }, ({ to, ...mail }, call) =>
      withMail(mail, call, async (client) => {
        awaitsAnswer(call, true);
        const moved = await client.messageMove(String(mail.uid), to, { uid: true });
        awaitsAnswer(call, false);
        if (!moved) {
          // Throws if there is no such mailbox.
          await client.mailboxOpen(to, { readOnly: true });
          return failed('IMAP_REFUSED', 'The server did not move the mail.');
        }
        const uid = moved.uidMap?.get(mail.uid);
        return succeeded({ mailbox: to, ...(uid === undefined ? {} : { uid }) });
      }),
    ),
    flag: withInputs({ ...MAIL, add: FLAGS, remove: FLAGS }, ({ add, remove, ...mail }, call) =>
      withMail(mail, call, async (client) => {
        const uid = String(mail.uid);
        if (add.length > 0) await client.messageFlagsAdd(uid, add.map(wireFlag), { uid: true });
        if (remove.length > 0) await client.messageFlagsRemove(uid, remove.map(wireFlag), { uid: true });
        const found = await client.fetchOne(uid, { flags: true }, { uid: true });
        return succeeded({ uid: mail.uid, flags: found ? [...(found.flags ?? [])].sort() : [] });
      }),
    ),
  };
}

async function requireMail(client: ImapFlow, { uid, uidValidity }: Mail): Promise<void> {
  const box = client.mailbox;
  if (uidValidity !== undefined && uidValidity !== '' && box && String(box.uidValidity) !== uidValidity) {
    throw new NoMail('The server has renumbered the mailbox since.');
  }
  const found = (await client.search({ uid: String(uid) }, { uid: true })) || [];
  if (!found.includes(uid)) throw new NoMail(`The mailbox has no mail with the UID ${uid}.`);
}

function wireFlag(name: string): string {
  return SYSTEM_FLAG.test(name) ? `\\${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}` : name;
}
