import { isStore, memoryTokens, type TokenStore, type Tokens } from './tokens.ts';

/** How a client proves who calls. */
export type Identity = Session | { apiKey?: string | undefined; tokens?: undefined };

interface Session {
  tokens: Tokens | TokenStore;
  /** Whether an access token that has ended is replaced by the refresh token; true unless said otherwise. */
  autoRefresh?: boolean;
  /** Called once the session has ended: the person must log in again. */
  onLoggedOut?: () => void;
}

export interface Credential {
  /** For `Authorization: Bearer`; undefined without one. */
  token(): Promise<string | undefined>;
  /** A token in place of `refused`; undefined when there is none. One refresh serves all that wait for it. */
  renew(refused: string): Promise<string | undefined>;
}

/** Asks the API for an access token; undefined when the session has ended. Rejects when the API could not be asked. */
export type Refresh = (refreshToken: string) => Promise<string | undefined>;

export function credentialOf(identity: Identity, refresh: Refresh): Credential {
  if (identity.tokens !== undefined) return session(identity, refresh);
  const { apiKey } = identity;
  return { token: async () => apiKey, renew: async () => undefined };
}

function session({ tokens, autoRefresh = true, onLoggedOut }: Session, refresh: Refresh): Credential {
  const store = isStore(tokens) ? tokens : memoryTokens(tokens);
  let renewing: Promise<string | undefined> | undefined;

  /** Another call, or another tab, may have renewed it since. */
  async function renewOnce(refused: string): Promise<string | undefined> {
    const kept = await store.get();
    if (kept === undefined) return undefined;
    if (kept.accessToken !== refused) return kept.accessToken;
    if (kept.refreshToken === undefined) return undefined;
    const accessToken = await refresh(kept.refreshToken);
    if (accessToken !== undefined) {
      await store.set({ ...kept, accessToken });
      return accessToken;
    }
    await store.set(undefined);
    onLoggedOut?.();
    return undefined;
  }

  async function renewedBy(refused: string): Promise<string | undefined> {
    const renewed = await alone(() => renewOnce(refused));
    if (renewed !== undefined) return renewed;
    // A store may wait here until somebody has logged in again. Not within the lock: other tabs go on.
    const kept = await store.get();
    return kept?.accessToken === refused ? undefined : kept?.accessToken;
  }

  return {
    token: async () => (await store.get())?.accessToken,
    async renew(refused) {
      if (!autoRefresh) return undefined;
      renewing ??= renewedBy(refused).finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

/** One tab at a time, where the environment has locks for that. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  return locks === undefined ? work() : (locks.request('perdure-refresh', work) as Promise<T>);
}
