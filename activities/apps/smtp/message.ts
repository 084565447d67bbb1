import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../domain/json.ts';
import { HEADER_NAME } from '../../../domain/workflow/headerRules.ts';

export interface MessageInputs {
  to: string;
  cc?: string | undefined;
  bcc?: string | undefined;
  from?: string | undefined;
  replyTo?: string | undefined;
  subject: string;
  text: string;
  html?: string | undefined;
  headers?: JsonObject | undefined;
}

export interface Message {
  id: string;
  envelope: { from: string; to: string[] };
  bytes: Buffer;
}

/** An input that cannot be sent. The message has its place. */
export class UnsendableMail extends Error {}

export const MAX_RECIPIENTS = 100;
const MAX_HEADERS = 50;
const MAX_HEADER_LENGTH = 998;

const ADDRESS = /^[^\s<>@"\\,;:()[\]]{1,64}@[^\s<>@"\\,;:()[\]]{1,255}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another header.
const CONTROL = /[\x00-\x1f\x7f]/;
/** Set by this action: the fields of the message and its encoding. */
const OWN_HEADER =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|received|return-path)$/i;

/** `sender`: the default of `from`. Every attempt of a step has the same key and so the same Message-ID. */
export async function composeMessage(inputs: MessageInputs, key: string, sender: string): Promise<Message> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  if (inputs.from === undefined && !ADDRESS.test(sender)) {
    throw new UnsendableMail('from: expected an address, because the user of the connection is none');
  }
  const from = await addressesOf('from', inputs.from ?? sender);
  if (from.length !== 1) throw new UnsendableMail('from: expected one address');
  const to: string[] = [];
  for (const field of ['to', 'cc', 'bcc'] as const) to.push(...(await addressesOf(field, inputs[field] ?? '')));
  if (to.length > MAX_RECIPIENTS) throw new UnsendableMail(`to: expected at most ${MAX_RECIPIENTS} recipients`);
  if (inputs.replyTo !== undefined) await addressesOf('replyTo', inputs.replyTo);
  const [own = ''] = from;
  const id = `<${createHash('sha256').update(key).digest('hex').slice(0, 32)}@${own.split('@')[1]}>`;
  const composer = new MailComposer({
    ...{ from: inputs.from ?? sender, to: inputs.to, cc: inputs.cc, bcc: inputs.bcc, replyTo: inputs.replyTo },
    ...{ subject: inputs.subject, text: inputs.text, html: inputs.html, messageId: id },
    headers: headersOf(inputs.headers ?? {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { id, envelope: { from: own, to: [...new Set(to)] }, bytes: await composer.compile().build() };
}

async function addressesOf(field: string, text: string): Promise<string[]> {
  const { default: parse } = await import('nodemailer/lib/addressparser');
  const addresses = parse(text, { flatten: true }).map(({ address }) => address ?? '');
  const isMissing = text.trim() !== '' && addresses.length === 0;
  if (CONTROL.test(text) || isMissing || !addresses.every((address) => ADDRESS.test(address))) {
    throw new UnsendableMail(`${field}: expected addresses such as ada@example.com, with commas between them`);
  }
  return addresses;
}

function headersOf(given: JsonObject): Record<string, string> {
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  if (entries.length > MAX_HEADERS) throw new UnsendableMail(`headers: expected at most ${MAX_HEADERS} entries`);
  for (const [name, value] of entries) {
    if (!HEADER_NAME.test(name)) throw new UnsendableMail(`headers: ${JSON.stringify(name)} is not a header's name`);
    if (OWN_HEADER.test(name)) throw new UnsendableMail(`headers.${name}: is set by the action itself`);
    if (typeof value === 'object') throw new UnsendableMail(`headers.${name}: expected text`);
    if (CONTROL.test(String(value)) || String(value).length > MAX_HEADER_LENGTH) {
      throw new UnsendableMail(`headers.${name}: expected at most ${MAX_HEADER_LENGTH} characters in one line`);
    }
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
