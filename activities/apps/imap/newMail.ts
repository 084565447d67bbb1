import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { z } from 'zod';
import type { PollItem } from '../../../domain/execution/triggerCalls.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { type Poller, type PollResult, pollFailed } from '../poller.ts';
import { buildInMailbox, MAILBOX } from './inMailbox.ts';
import { arrivalOf, fingerprintOf, MAIL_QUERY, mailItem } from './mailItem.ts';

/** Mails of one poll; the next one continues. */
const MAX_MAILS = 50;
/** Mails at the end of the mailbox among which the first poll looks for the latest arrival. */
const LATEST = 50;
const MAX_FINGERPRINTS = 1_000;
const DAY_MS = 86_400_000;

/** The latest arrival that was read, and the mails of that second: times of arrival have no fractions. */
const ARRIVAL = z.object({ at: z.string(), mails: z.array(z.string()) });
type Arrival = z.output<typeof ARRIVAL>;

/**
 * The last mail that was read. `latest` finds the place again if the server renumbers the mailbox; `after` is that of
 * the old numbers, until all mails have been looked at by their new ones.
 */
const CURSOR = z.object({ uidValidity: z.string(), uid: z.int(), latest: ARRIVAL, after: ARRIVAL.optional() });
type Cursor = z.output<typeof CURSOR>;

export interface NewMailSettings extends GuardSettings {
  maxItems: number;
}

export function buildNewMail(settings: NewMailSettings): Poller {
  const inMailbox = buildInMailbox(settings);
  const maxMails = Math.min(MAX_MAILS, settings.maxItems);
  return async ({ inputs, connection, workspaceId, startWith, cursor, signal }): Promise<PollResult> => {
    const { data: mailbox, error } = MAILBOX.default('INBOX').safeParse(inputs.mailbox);
    if (error) return pollFailed('INVALID_INPUT', `mailbox: ${error.issues[0]?.message}`);
    const before = CURSOR.safeParse(cursor);
    const call = { workspaceId, credentials: connection?.credentials, signal, mailbox, readOnly: true };
    const looked = await inMailbox<NewMails>(call, async (client) => {
      if (before.success) return mailsAfter(client, before.data, maxMails);
      if (startWith === 'new') return { items: [], cursor: await endOf(client) };
      return mailsAfter(client, { uidValidity: uidValidityOf(client), uid: 0, latest: NO_ARRIVAL }, maxMails);
    });
    if (!looked.ok) return pollFailed(looked.failure.code, looked.failure.message);
    return { ok: true, ...looked.value, cursor: { ...looked.value.cursor }, areNew: true };
  };
}

interface NewMails {
  items: PollItem[];
  cursor: Cursor;
}

const NO_ARRIVAL: Arrival = { at: '', mails: [] };
const PLACE_QUERY = { uid: true, internalDate: true, size: true, envelope: true };

function openMailbox({ mailbox }: ImapFlow) {
  if (!mailbox) throw new Error('no mailbox is open');
  return mailbox;
}
const uidValidityOf = (client: ImapFlow) => String(openMailbox(client).uidValidity);

/** The cursor behind all mails that are there. */
async function endOf(client: ImapFlow): Promise<Cursor> {
  const { exists } = openMailbox(client);
  const end = { uidValidity: uidValidityOf(client), uid: 0, latest: NO_ARRIVAL };
  if (exists === 0) return end;
  for await (const mail of client.fetch(`${Math.max(1, exists - LATEST + 1)}:${exists}`, PLACE_QUERY)) {
    end.uid = Math.max(end.uid, mail.uid);
    end.latest = later(end.latest, mail);
  }
  return end;
}

async function mailsAfter(client: ImapFlow, before: Cursor, maxMails: number): Promise<NewMails> {
  const { path } = openMailbox(client);
  const uidValidity = uidValidityOf(client);
  const isSame = before.uidValidity === uidValidity;
  const after = isSame ? before.after : (before.after ?? before.latest);
  let { uid, latest } = isSame ? before : { uid: 0, latest: before.latest };
  // Read first: a mail that arrives from here on has a higher UID.
  const last = after === undefined ? 0 : await lastUid(client);
  const uids = await (after === undefined ? found(client, `${uid + 1}:*`) : arrivedAfter(client, uid, after));
  const items: PollItem[] = [];
  // A range with * also finds the last mail, however low its UID is.
  for (const each of uids.filter((one) => one > uid)) {
    if (items.length === maxMails) {
      return { items, cursor: { uidValidity, uid, latest, ...(after === undefined ? {} : { after }) } };
    }
    uid = each;
    const mail = await client.fetchOne(String(uid), MAIL_QUERY, { uid: true });
    // Deleted meanwhile.
    if (!mail) continue;
    latest = later(latest, mail);
    items.push({ key: `${uidValidity}:${uid}`, item: await mailItem(mail, { mailbox: path, uidValidity }) });
  }
  return { items, cursor: { uidValidity, uid: Math.max(uid, last), latest } };
}

async function lastUid(client: ImapFlow): Promise<number> {
  const { exists } = openMailbox(client);
  const mail = exists > 0 && (await client.fetchOne(String(exists), { uid: true }));
  return mail ? mail.uid : 0;
}

/** UIDs in ascending order. */
async function found(client: ImapFlow, range: string, since: { since?: Date } = {}): Promise<number[]> {
  const uids = await client.search({ uid: range, ...since }, { uid: true });
  if (!uids) throw new Error('the server refused the search');
  return uids.sort((a, b) => a - b);
}

/** The mails of a renumbered mailbox that were not read by their old numbers. SINCE counts days of the server's zone. */
async function arrivedAfter(client: ImapFlow, uid: number, { at, mails }: Arrival): Promise<number[]> {
  const uids = await found(client, `${uid + 1}:*`, at === '' ? {} : { since: new Date(Date.parse(at) - DAY_MS) });
  if (at === '' || uids.length === 0) return uids;
  const later: number[] = [];
  for await (const mail of client.fetch(uids, PLACE_QUERY, { uid: true })) {
    const arrival = arrivalOf(mail);
    if (arrival > at || (arrival === at && !mails.includes(fingerprintOf(mail)))) later.push(mail.uid);
  }
  return later.sort((a, b) => a - b);
}

function later(latest: Arrival, mail: FetchMessageObject): Arrival {
  const at = arrivalOf(mail);
  if (at < latest.at) return latest;
  const mails = at === latest.at ? latest.mails : [];
  return { at, mails: [...mails, fingerprintOf(mail)].slice(-MAX_FINGERPRINTS) };
}
