import { dirname, join } from 'node:path';
import { createClient, type Perdure } from '#client';
import { readConfig } from './config.ts';
import { Usage } from './exitCode.ts';
import { httpFetch } from './httpFetch.ts';
import { readIfPresent } from './readIfPresent.ts';

export interface Place {
  client: Perdure;
  url: string;
  apiKey: string;
  /** Source of the settings, for `doctor` and `context`. */
  source: string;
  projectId: string | undefined;
  /** Whether --project or PERDURE_PROJECT chose the project. */
  isProjectGiven: boolean;
  /** The saved context. Its overlay is used. */
  context?: string;
}

export interface Wanted {
  context?: string | undefined;
  project?: string | undefined;
  environment?: NodeJS.ProcessEnv;
  folder?: string;
}

type Found = Pick<Place, 'url' | 'apiKey' | 'source' | 'context'> & { projectId?: string | undefined };

/**
 * A named context, PERDURE_URL etc., the current context, or `.perdure/credentials.json` here or above. Throws a Usage.
 */
export async function placeOf({
  context,
  project,
  environment = process.env,
  folder = process.cwd(),
}: Wanted): Promise<Place> {
  const found =
    (await ofContext(context)) ??
    ofEnvironment(environment) ??
    (await ofContext((await readConfig()).current)) ??
    (await ofFolder(folder));
  if (found === undefined) {
    throw new Usage(
      'No Perdure configured. Set PERDURE_URL and PERDURE_API_KEY, log in with `perdure login --url <url>`, or go to a folder where `perdure start` runs.',
    );
  }
  if (!isAddress(found.url)) {
    throw new Usage(`${found.url} of ${found.source} is not a valid address such as https://perdure.example.com`);
  }
  // An empty variable counts as not set, as everywhere.
  const given = project || environment.PERDURE_PROJECT;
  const projectId = given || found.projectId;
  return {
    ...found,
    projectId,
    isProjectGiven: Boolean(given),
    client: createClient({ url: found.url, apiKey: found.apiKey, fetch: httpFetch }),
  };
}

export function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

async function ofContext(name: string | undefined): Promise<Found | undefined> {
  if (name === undefined) return undefined;
  const { contexts } = await readConfig();
  const context = contexts[name];
  if (context) return { ...context, context: name, source: `context ${name}` };
  throw new Usage(`There is no context ${name}: ${Object.keys(contexts).join(', ') || 'perdure login creates one'}`);
}

function ofEnvironment({ PERDURE_URL: url, PERDURE_API_KEY: apiKey }: NodeJS.ProcessEnv): Found | undefined {
  if (!url && !apiKey) return undefined;
  if (url && apiKey) return { url, apiKey, source: 'PERDURE_URL and PERDURE_API_KEY' };
  throw new Usage(`${url ? 'PERDURE_API_KEY' : 'PERDURE_URL'} is required too`);
}

export async function ofFolder(folder: string): Promise<Found | undefined> {
  const path = join(folder, '.perdure/credentials.json');
  const text = await readIfPresent(path);
  if (text !== undefined) {
    const { url, apiKey, projectId } = JSON.parse(text) as { url: string; apiKey: string; projectId: string };
    return { url, apiKey, projectId, source: path };
  }
  const above = dirname(folder);
  return above === folder ? undefined : ofFolder(above);
}
