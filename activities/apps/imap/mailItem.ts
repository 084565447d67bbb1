import { createHash } from 'node:crypto';
import type { FetchMessageObject, MessageStructureObject } from 'imapflow';
import type { AddressObject, Attachment, ParsedMail } from 'mailparser';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { storableText } from '../../../domain/storableJson.ts';
import { MAX_MAIL_BYTES } from './session.ts';

const MAX_TEXT = 100_000;
/** Limits the number of attachments, and of addresses in each header. */
const MAX_ENTRIES = 500;
/** 57 bytes are a line of 76 characters and CRLF, which the last line lacks. */
const BYTES_OF_BASE64 = 57 / 78;

export const MAIL_QUERY = {
  ...{ uid: true, flags: true, internalDate: true, size: true, envelope: true, bodyStructure: true },
  source: { maxLength: MAX_MAIL_BYTES },
};

/** ISO 8601, UTC. */
export function arrivalOf({ internalDate }: Pick<FetchMessageObject, 'internalDate'>): string {
  const date = new Date(internalDate ?? 0);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** Stays the same if the server renumbers the mailbox. */
export function fingerprintOf({ envelope, size }: Pick<FetchMessageObject, 'envelope' | 'size'>): string {
  const text = JSON.stringify([envelope?.messageId, envelope?.subject, size]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/**
 * The item of one mail. A mail that cannot be parsed, such as one of 20,000 parts, has what the server says of it, so
 * that it does not block those after it.
 */
export async function mailItem(
  found: FetchMessageObject,
  { mailbox, uidValidity }: { mailbox: string; uidValidity: string },
): Promise<JsonObject> {
  const { uid, flags, size = 0, source, envelope, bodyStructure } = found;
  const mail = source && (await parsed(source));
  const isWhole = mail !== undefined && size <= MAX_MAIL_BYTES;
  const [text, html] = [mail?.text ?? '', mail?.html ? mail.html : null];
  const lists = {
    from: mail ? people(mail.from) : envelope?.from?.map(person),
    to: mail ? people(mail.to) : envelope?.to?.map(person),
    cc: mail ? people(mail.cc) : envelope?.cc?.map(person),
    replyTo: mail ? people(mail.replyTo) : envelope?.replyTo?.map(person),
    attachments: isWhole ? mail.attachments.map(attachment) : partsOf(bodyStructure).map(attachment),
  };
  const isCut =
    Math.max(text.length, html?.length ?? 0) > MAX_TEXT ||
    Object.values(lists).some((list) => (list?.length ?? 0) > MAX_ENTRIES);
  return {
    ...{ uid, mailbox, uidValidity, receivedAt: arrivalOf(found), size, flags: [...(flags ?? [])].sort() },
    ...Object.fromEntries(Object.entries(lists).map(([name, list = []]) => [name, list.slice(0, MAX_ENTRIES)])),
    messageId: textOf(mail?.messageId ?? envelope?.messageId),
    inReplyTo: textOf(mail?.inReplyTo ?? envelope?.inReplyTo),
    subject: textOf(mail?.subject ?? envelope?.subject) ?? '',
    date: isoDate(mail?.date ?? envelope?.date),
    text: textOf(text),
    html: textOf(html),
    truncated: !isWhole || isCut,
  };
}

async function parsed(source: Buffer): Promise<ParsedMail | undefined> {
  const { simpleParser } = await import('mailparser');
  try {
    return await simpleParser(source, { skipImageLinks: true, skipTextToHtml: true });
  } catch {
    return undefined;
  }
}

/** Text of a stranger may contain what cannot be stored. */
function textOf(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text.slice(0, MAX_TEXT));
}

function people(found: AddressObject | AddressObject[] | undefined): Json[] {
  const all = found === undefined ? [] : Array.isArray(found) ? found : [found];
  return all.flatMap(({ value }) => value.flatMap((each) => each.group ?? each)).map(person);
}

function person({ name, address }: { name?: string | undefined; address?: string | undefined }): Json {
  return { name: textOf(name) ?? '', address: textOf(address) };
}

function attachment({ filename, contentType, size }: Pick<Attachment, 'filename' | 'contentType' | 'size'>): Json {
  return { filename: textOf(filename), contentType: textOf(contentType), size };
}

/** The attachments as the server lists them, also those beyond the part of the mail that was read. */
function partsOf(node: MessageStructureObject | undefined): Pick<Attachment, 'filename' | 'contentType' | 'size'>[] {
  if (!node) return [];
  if (node.childNodes) return node.childNodes.flatMap(partsOf);
  const filename = node.dispositionParameters?.filename ?? node.parameters?.name;
  if (node.disposition !== 'attachment' && filename === undefined) return [];
  const { type, encoding, size = 0 } = node;
  const bytes = encoding?.toLowerCase() === 'base64' ? Math.round((size + 2) * BYTES_OF_BASE64) : size;
  return [{ filename, contentType: type, size: bytes }];
}

function isoDate(given: Date | string | undefined): string | null {
  const date = new Date(given ?? '');
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
