import { text } from 'node:stream/consumers';
import { createClient } from '#client';
import type { Handler } from '../commandSpec.ts';
import { readConfig, writeConfig } from '../config.ts';
import { EXIT, Usage } from '../exitCode.ts';
import { httpFetch } from '../httpFetch.ts';
import { isAddress, ofFolder } from '../place.ts';
import { ask } from '../prompt.ts';

/** Saves a URL and a key as a context. The key comes from stdin, never from the command line, which others can see. */
export const login: Handler = async ({ options, out }) => {
  const { url, apiKey, projectId } = await loginOf(options.text('url'));
  const name = options.text('name') ?? new URL(url).host;
  const me = await createClient({ url, apiKey, fetch: httpFetch }).getCurrentUser();
  const config = await readConfig();
  const project = options.text('project') ?? projectId;
  config.contexts[name] = { url, apiKey, ...(project === undefined ? {} : { projectId: project }) };
  await writeConfig({ ...config, current: name });
  out.value({ context: name, workspace: me.workspace }, () => `Context ${name}: workspace ${me.workspace.name}`);
  return EXIT.done;
};

async function loginOf(
  url: string | undefined,
): Promise<{ url: string; apiKey: string; projectId?: string | undefined }> {
  if (url === undefined) {
    const found = await ofFolder(process.cwd());
    if (found === undefined) throw new Usage('--url is required: no Perdure was started in this folder or one above');
    if (!isAddress(found.url)) throw new Usage(`${found.url} of ${found.source} is not a valid address`);
    return found;
  }
  if (!isAddress(url)) throw new Usage(`--url takes an address such as https://perdure.example.com, not ${url}`);
  const apiKey = (process.stdin.isTTY ? await ask('API key: ') : await text(process.stdin)).trim();
  if (apiKey === '') throw new Usage('An API key is required on stdin');
  return { url, apiKey };
}

export const listContexts: Handler = async ({ out }) => {
  const { current, contexts } = await readConfig();
  const rows = Object.entries(contexts).map(([name, { url, projectId }]) => ({
    name,
    url,
    projectId,
    isCurrent: name === current,
  }));
  out.rows(
    rows,
    [
      ['', ({ isCurrent }) => (isCurrent ? '*' : '')],
      ['NAME', ({ name }) => name],
      ['URL', ({ url }) => url],
      ['PROJECT', ({ projectId }) => projectId],
    ],
    'There is no context: perdure login --url <url> creates one.',
  );
  return EXIT.done;
};

export const useContext: Handler = async ({ arguments: [name], out }) => {
  const config = await readConfig();
  if (!Object.hasOwn(config.contexts, name as string)) {
    throw new Usage(
      `There is no context ${name}: ${Object.keys(config.contexts).join(', ') || 'perdure login creates one'}`,
    );
  }
  await writeConfig({ ...config, current: name as string });
  out.value({ context: name }, () => `Context ${name}`);
  return EXIT.done;
};

export const whoami: Handler = async ({ out, place }) => {
  const here = await place();
  const me = await here.client.getCurrentUser();
  out.value({ ...me, url: here.url, projectId: here.projectId }, () => {
    const who = 'email' in me ? me.email : me.apiKey.name;
    return `${who} in ${me.workspace.name} at ${here.url} (${here.source})`;
  });
  return EXIT.done;
};
