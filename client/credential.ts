import { isStore, memoryTokens, type TokenStore, type Tokens } from './tokens.ts';

export type Identity = Session | { apiKey?: string | undefined; tokens?: undefined };

interface Session {
  tokens: Tokens | TokenStore;
  /** Whether the refresh token replaces an expired access token; true by default. */
  autoRefresh?: boolean;
  /** Called once when the session has ended; the user must log in again. */
  onLoggedOut?: () => void;
}

export interface Credential {
  /** The value for `Authorization: Bearer`; undefined without a credential. */
  token(): Promise<string | undefined>;
  /** Returns a token that replaces `refused`, or undefined. Concurrent callers share one refresh. */
  renew(refused: string): Promise<string | undefined>;
}

/** Requests an access token; returns undefined when the session has ended. Rejects if the API cannot be reached. */
export type Refresh = (refreshToken: string) => Promise<string | undefined>;

export function credentialOf(identity: Identity, refresh: Refresh): Credential {
  if (identity.tokens !== undefined) return session(identity, refresh);
  const { apiKey } = identity;
  return { token: async () => apiKey, renew: async () => undefined };
}

function session({ tokens, autoRefresh = true, onLoggedOut }: Session, refresh: Refresh): Credential {
  const store = isStore(tokens) ? tokens : memoryTokens(tokens);
  let renewing: Promise<string | undefined> | undefined;

  /** Another call, or another tab, may have refreshed it already. */
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
    // A store may wait here until the user has logged in again. Stay outside the lock so that other tabs continue.
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

/** Allows one tab at a time, if the environment supports locks. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  return locks === undefined ? work() : (locks.request('perdure-refresh', work) as Promise<T>);
}
