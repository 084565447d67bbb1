import { z } from 'zod';
import { failed } from '../executor.ts';
import { actionCall, MAX_OPTIONS, notLoaded, type OptionLoader } from '../optionLoader.ts';
import { buildAskSlack, type SlackAnswer, type SlackSettings } from './askSlack.ts';

const FOUND = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string(), is_private: z.boolean().optional() })),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Slack cannot search channels, so a search reads this many pages. */
const MAX_PAGES = 5;

/** The channels that the app sees. Without the scope `groups:read` these are the public ones. */
export function buildChannels(settings: SlackSettings): OptionLoader {
  const ask = buildAskSlack(settings);
  return async (call) => {
    const own = actionCall(call);
    let types = 'public_channel,private_channel';
    const page = async (cursor: string | undefined): Promise<SlackAnswer> => {
      const given = { types, exclude_archived: true, limit: MAX_OPTIONS, ...(cursor === undefined ? {} : { cursor }) };
      const answer = await ask(own, 'conversations.list', given, 'form');
      if (answer.ok || answer.failure.code !== 'SLACK_MISSING_SCOPE' || types === 'public_channel') return answer;
      types = 'public_channel';
      return page(cursor);
    };
    const word = call.search.toLowerCase().replace(/^#/, '');
    let { cursor } = call;
    for (let pages = 1; ; pages += 1) {
      const answer = await page(cursor);
      if (!answer.ok) return notLoaded(answer.result);
      const read = FOUND.safeParse(answer.body);
      if (!read.success) return notLoaded(failed('SLACK_UNCLEAR', 'Slack answered without a list of channels.'));
      const options = read.data.channels
        .filter(({ name }) => name.toLowerCase().includes(word))
        .map(({ id, name, is_private }) => ({ value: id, label: `#${name}${is_private ? ' (private)' : ''}` }));
      cursor = read.data.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) return { ok: true, options };
      if (options.length > 0 || pages === MAX_PAGES) return { ok: true, options, cursor };
    }
  };
}
