import {
  allowInsecureRequests,
  Configuration,
  type CustomFetch,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from 'openid-client';
import type { Config } from '../../../config.ts';
import type { SsoProvider } from '../../../domain/access/ssoProvider.ts';
import { bounded } from '../../../engine/boundedAnswer.ts';

const METADATA_MS = 10 * 60_000;
const SKEW_S = 60;

/** The provider, or a proxy before it, is temporarily unavailable. */
export class SsoAway extends Error {}

/** Includes an answer that began but did not end in time. */
export function isAway(error: unknown): boolean {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as Error).cause) {
    if (each instanceof SsoAway || (each as Error).name === 'TimeoutError') return true;
  }
  return false;
}

export type SsoLimits = Pick<Config, 'SSO_TIMEOUT_MS' | 'SSO_MAX_ANSWER_BYTES'>;

export class SsoClients {
  readonly #providers: ReadonlyMap<string, SsoProvider>;
  readonly #metadata = new Map<string, { server: Promise<ServerMetadata>; until: number }>();

  readonly #limits: SsoLimits;

  constructor(providers: readonly SsoProvider[], limits: SsoLimits) {
    this.#limits = limits;
    this.#providers = new Map(providers.map((provider) => [provider.id, provider]));
  }

  find(providerId: string): SsoProvider | undefined {
    return this.#providers.get(providerId);
  }

  /**
   * Makes a client for one login, which fetches the provider's keys again, so that a rotation is seen at once. Its
   * requests share SSO_TIMEOUT_MS from now. Throws if the provider does not answer or identifies as another one.
   */
  async clientOf(provider: SsoProvider): Promise<Configuration> {
    const asked = fetchWithin(this.#limits);
    const client = new Configuration(await this.#serverOf(provider), provider.clientId, metadataOf(provider));
    client[customFetch] = asked;
    if (isPlain(provider)) allowInsecureRequests(client);
    // Also for tokens directly from the provider, since a proxy may be in between.
    enableNonRepudiationChecks(client);
    return client;
  }

  #serverOf(provider: SsoProvider): Promise<ServerMetadata> {
    const known = this.#metadata.get(provider.id);
    if (known && Date.now() < known.until) return known.server;
    const server = discover(provider, this.#limits);
    this.#metadata.set(provider.id, { server, until: Date.now() + METADATA_MS });
    server.catch(() => this.#metadata.delete(provider.id));
    return server;
  }
}

async function discover(provider: SsoProvider, limits: SsoLimits): Promise<ServerMetadata> {
  const found = await discovery(new URL(provider.issuer), provider.clientId, metadataOf(provider), undefined, {
    [customFetch]: fetchWithin(limits),
    ...(isPlain(provider) ? { execute: [allowInsecureRequests] } : {}),
  });
  return found.serverMetadata();
}

/** Limits answers in time and size, because a user waits and memory holds them. */
function fetchWithin({ SSO_TIMEOUT_MS, SSO_MAX_ANSWER_BYTES }: SsoLimits): CustomFetch {
  const deadline = AbortSignal.timeout(SSO_TIMEOUT_MS);
  return async (url, options) => {
    const answer = await fetch(url, { ...(options as RequestInit), signal: deadline }).catch((cause: unknown) => {
      throw new SsoAway('The provider does not answer', { cause });
    });
    if (answer.status >= 500 || answer.status === 429) {
      await answer.body?.cancel();
      throw new SsoAway(`The provider answers ${answer.status}`);
    }
    return bounded(answer, SSO_MAX_ANSWER_BYTES, (most) => new Error(`The provider's answer has over ${most} bytes`));
  };
}

function metadataOf({ clientSecret }: SsoProvider) {
  return { client_secret: clientSecret, [clockTolerance]: SKEW_S };
}

/** Loopback only (domain/access/ssoProvider.ts). */
function isPlain({ issuer }: SsoProvider): boolean {
  return issuer.startsWith('http:');
}
