import type { OpenAI } from 'openai';
import { portOf } from '../../domain/portOf.ts';
import type { GuardSettings } from '../apps/guard/addressGuard.ts';
import { byWorkspace } from '../apps/guard/privateHosts.ts';
import { buildGuardedFetch, type FetchSettings, type GuardedFetch } from './guardedFetch.ts';
import { withReadableErrors } from './readableErrors.ts';
import { tracedFetch } from './tracedFetch.ts';
import { withWholeEvents } from './wholeEvents.ts';

const OPENAI_URL = 'https://api.openai.com/v1';

export interface ProviderAccess {
  apiKey: string;
  /** OPENAI_URL where absent. */
  baseUrl?: string | undefined;
  /** Whose private hosts are allowed. */
  workspaceId?: string | undefined;
  /** The operator has named this address himself: it needs no entry, and is open to no other client. */
  isPlatforms?: true;
}

export type OpenAiClient = (access: ProviderAccess) => Promise<OpenAI>;

/** The provider sent more than PROVIDER_MAX_ANSWER_BYTES. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the model provider is larger than ${maxBytes} bytes`);
  }
}

export interface ProviderClientSettings extends FetchSettings {
  /** Longest time before an answer begins, where a call says none; the default is the package's own. */
  firstByteMs?: number;
}

/**
 * Makes clients of providers. All share one pool of connections to addresses that the guard allows. A client makes
 * exactly one call for each request: the caller decides about retries. It follows no redirect, which would carry the
 * key to another place, and reads nothing from the environment.
 */
export function buildOpenAiClient({ firstByteMs, ...settings }: ProviderClientSettings): OpenAiClient {
  const timeout = firstByteMs === undefined ? {} : { timeout: firstByteMs };
  const fetchBy = (guard: GuardSettings) =>
    withReadableErrors(
      tracedFetch(
        withWholeEvents(buildGuardedFetch({ ...settings, ...guard }, (maxBytes) => new AnswerTooLarge(maxBytes))),
      ),
    );
  const fetchOf = byWorkspace(settings, 'openai', fetchBy);
  const platforms = new Map<string, GuardedFetch>();
  const platformFetch = (baseUrl: string) => {
    const host = hostOf(baseUrl);
    const known = platforms.get(host) ?? fetchBy({ ...settings, allowedPrivateHosts: [host] });
    platforms.set(host, known);
    return known;
  };
  return async ({ apiKey, baseUrl = OPENAI_URL, workspaceId, isPlatforms }) => {
    const { OpenAI } = await import('openai');
    const guardedFetch = isPlatforms ? platformFetch(baseUrl) : fetchOf(workspaceId);
    const { baseURL, defaultQuery } = placeOf(baseUrl);
    return new OpenAI({
      apiKey,
      baseURL,
      defaultQuery,
      // Azure's deployments know this header alone.
      ...('api-version' in defaultQuery ? { defaultHeaders: { 'api-key': apiKey } } : {}),
      fetch: guardedFetch,
      maxRetries: 0,
      ...timeout,
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: 'off',
    });
  };
}

/** The query of a base URL, such as Azure's `?api-version=…`, belongs to each request. */
function placeOf(baseUrl: string): { baseURL: string; defaultQuery: Record<string, string> } {
  const [baseURL = baseUrl, query = ''] = baseUrl.split('?');
  return { baseURL, defaultQuery: Object.fromEntries(new URLSearchParams(query)) };
}

/** With its port, which a URL leaves out where it is the default. */
function hostOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.hostname}:${portOf(url)}`;
}
