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
  baseUrl?: string | undefined;
  workspaceId?: string | undefined;
  /** The operator has configured this address, so it needs no entry; no other client may use it. */
  isPlatforms?: true;
}

export type OpenAiClient = (access: ProviderAccess) => Promise<OpenAI>;

export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the model provider is larger than ${maxBytes} bytes`);
  }
}

export interface ProviderClientSettings extends FetchSettings {
  /** Maximum time before a response begins, unless a call sets one; default: the package's own. */
  firstByteMs?: number;
}

/**
 * Clients of providers that share one pool of guarded connections. A client sends exactly one request per call, because
 * callers retry. It follows no redirect, which could carry the key elsewhere, and reads no environment.
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
      // Azure's deployments accept only this header.
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

/** Splits off the query of a base URL, such as Azure's `?api-version=…`, which each request needs. */
function placeOf(baseUrl: string): { baseURL: string; defaultQuery: Record<string, string> } {
  const [baseURL = baseUrl, query = ''] = baseUrl.split('?');
  return { baseURL, defaultQuery: Object.fromEntries(new URLSearchParams(query)) };
}

/** Includes the port, which a URL leaves out if it is the default. */
function hostOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.hostname}:${portOf(url)}`;
}
