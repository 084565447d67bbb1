import { storableText } from '../../../domain/storableJson.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { MAX_OPTIONS, type OptionLoader } from '../optionLoader.ts';
import { buildInMailbox } from './inMailbox.ts';

/** The mailboxes of the account; IMAP lists all of them at once. */
export function buildMailboxes(settings: GuardSettings): OptionLoader {
  const inMailbox = buildInMailbox(settings);
  return async ({ connection, search, ...call }) => {
    const listed = await inMailbox({ ...call, credentials: connection?.credentials }, (client) => client.list());
    if (!listed.ok) return listed;
    const paths = listed.value.filter(({ flags }) => !flags.has('\\Noselect')).map(({ path }) => storableText(path));
    const word = search.toLowerCase();
    const options = paths.filter((path) => path.toLowerCase().includes(word)).slice(0, MAX_OPTIONS);
    return { ok: true, options: options.map((path) => ({ value: path, label: path })) };
  };
}
