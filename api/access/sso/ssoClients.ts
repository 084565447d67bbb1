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

/** Time for which a provider's discovery document is cached. */
const METADATA_MS = 10 * 60_000;
/** By which the clocks of both sides may differ. */
const SKEW_S = 60;

/** The provider, or what stands before it, does not answer now; another try may come through. */
export class SsoAway extends Error {}

/** Also where its answer began, and did not end in time. */
export function isAway(error: unknown): boolean {
  for (let each = error; typeof each === 'object' && each !== null; each = (each as Error).cause) {
    if (each instanceof SsoAway || (each as Error).name === 'TimeoutError') return true;
  }
  return false;
}

export type SsoLimits = Pick<Config, 'SSO_TIMEOUT_MS' | 'SSO_MAX_ANSWER_BYTES'>;

/** The providers of SSO_PROVIDERS, as openid-client asks them. */
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
   * A client for one request of a login: it fetches the provider's keys again, so that a rotation is seen at once. All that it
   * asks of the provider shares SSO_TIMEOUT_MS, which begins now. Throws where the provider does not answer, or says of
   * itself that it is another.
   */
  async clientOf(provider: SsoProvider): Promise<Configuration> {
    const asked = fetchWithin(this.#limits);
    const client = new Configuration(await this.#serverOf(provider), provider.clientId, metadataOf(provider));
    client[customFetch] = asked;
    if (isPlain(provider)) allowInsecureRequests(client);
    // Also of a token that came straight from the provider: a proxy between may be anybody.
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

/** Whose answers end in time and size, whatever the provider sends: somebody waits for them, and memory holds them. */
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

/** On loopback alone (domain/access/ssoProvider.ts). */
function isPlain({ issuer }: SsoProvider): boolean {
  return issuer.startsWith('http:');
}
