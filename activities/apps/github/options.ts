import { z } from 'zod';
import { failed } from '../executor.ts';
import { actionCall, notLoaded, type OptionLoader } from '../optionLoader.ts';
import { buildAskGitHub, type GitHubSettings } from './askGitHub.ts';

const OWNER = z.string().regex(/^[\w.-]{1,100}$/);
const FOUND = z.object({ items: z.array(z.object({ name: z.string() })) });
const PER_PAGE = 100;

/** The repositories of `owner` that the account sees, most recently changed first. */
export function buildRepositories(settings: GitHubSettings): OptionLoader {
  const ask = buildAskGitHub(settings);
  return async (call) => {
    const owner = OWNER.safeParse(call.inputs.owner);
    if (!owner.success)
      return notLoaded(failed('INVALID_INPUT', 'owner: expected the name of a person or organization'));
    const page = call.cursor === undefined ? 1 : Number(call.cursor);
    if (!Number.isInteger(page) || page < 1 || page > 100)
      return notLoaded(failed('INVALID_INPUT', 'cursor: expected the cursor of an answer'));
    // Other signs would be qualifiers of the search.
    const words = call.search.replace(/[^\w.-]+/g, ' ').trim();
    const q = `${words === '' ? '' : `${words} in:name `}user:${owner.data} fork:true`;
    const query = { q, sort: 'updated', per_page: PER_PAGE, page };
    const answer = await ask(actionCall(call), { method: 'GET', path: '/search/repositories', query });
    if (!answer.ok) return notLoaded(answer.result);
    const read = FOUND.safeParse(answer.body);
    if (!read.success) return notLoaded(failed('GITHUB_UNCLEAR', 'GitHub answered something else than its API says.'));
    const options = read.data.items.map(({ name }) => ({ value: name, label: name }));
    return { ok: true, options, ...(answer.hasNext ? { cursor: String(page + 1) } : {}) };
  };
}
