import {
  allowInsecureRequests,
  Configuration,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from 'openid-client';
import type { SsoProvider } from '../../../domain/access/ssoProvider.ts';

/** Time for which a provider's discovery document is cached. */
const METADATA_MS = 10 * 60_000;
/** Timeout of one request to a provider. */
const TIMEOUT_S = 10;
/** By which the clocks of both sides may differ. */
const SKEW_S = 60;

/** The providers of SSO_PROVIDERS, as openid-client asks them. */
export class SsoClients {
  readonly #providers: ReadonlyMap<string, SsoProvider>;
  readonly #metadata = new Map<string, { server: Promise<ServerMetadata>; until: number }>();

  constructor(providers: readonly SsoProvider[]) {
    this.#providers = new Map(providers.map((provider) => [provider.id, provider]));
  }

  find(providerId: string): SsoProvider | undefined {
    return this.#providers.get(providerId);
  }

  /**
   * A client for one login: it fetches the provider's keys again, so that a rotation is seen at once. Throws where the
   * provider does not answer, or says of itself that it is another.
   */
  async clientOf(provider: SsoProvider): Promise<Configuration> {
    const client = new Configuration(await this.#serverOf(provider), provider.clientId, metadataOf(provider));
    client.timeout = TIMEOUT_S;
    if (isPlain(provider)) allowInsecureRequests(client);
    // Also of a token that came straight from the provider: a proxy between may be anybody.
    enableNonRepudiationChecks(client);
    return client;
  }

  #serverOf(provider: SsoProvider): Promise<ServerMetadata> {
    const known = this.#metadata.get(provider.id);
    if (known && Date.now() < known.until) return known.server;
    const server = discover(provider);
    this.#metadata.set(provider.id, { server, until: Date.now() + METADATA_MS });
    server.catch(() => this.#metadata.delete(provider.id));
    return server;
  }
}

async function discover(provider: SsoProvider): Promise<ServerMetadata> {
  const found = await discovery(new URL(provider.issuer), provider.clientId, metadataOf(provider), undefined, {
    timeout: TIMEOUT_S,
    ...(isPlain(provider) ? { execute: [allowInsecureRequests] } : {}),
  });
  return found.serverMetadata();
}

function metadataOf({ clientSecret }: SsoProvider) {
  return { client_secret: clientSecret, [clockTolerance]: SKEW_S };
}

/** On loopback alone (domain/access/ssoProvider.ts). */
function isPlain({ issuer }: SsoProvider): boolean {
  return issuer.startsWith('http:');
}
