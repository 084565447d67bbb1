export interface Tokens {
  accessToken: string;
  /** Without it the access token is not refreshed. */
  refreshToken?: string;
}

/** Stores the tokens of a session. `set(undefined)` means that the session has ended. */
export interface TokenStore {
  get(): Tokens | undefined | Promise<Tokens | undefined>;
  set(tokens: Tokens | undefined): void | Promise<void>;
}

export function isStore(tokens: Tokens | TokenStore): tokens is TokenStore {
  return 'get' in tokens && typeof tokens.get === 'function';
}

export function memoryTokens(tokens: Tokens | undefined): TokenStore {
  let kept = tokens;
  return {
    get: () => kept,
    set: (changed) => {
      kept = changed;
    },
  };
}

export interface BrowserTokens extends TokenStore {
  get(): Tokens | undefined;
  set(tokens: Tokens | undefined): void;
}

/** Stores tokens in `localStorage` under the contract's names, so that all tabs share one session. */
export function browserTokens(): BrowserTokens {
  return {
    get() {
      const accessToken = localStorage.getItem('accessToken');
      const refreshToken = localStorage.getItem('refreshToken');
      if (accessToken === null) return undefined;
      return refreshToken === null ? { accessToken } : { accessToken, refreshToken };
    },
    set(tokens) {
      for (const name of ['accessToken', 'refreshToken'] as const) {
        const value = tokens?.[name];
        if (value === undefined) localStorage.removeItem(name);
        else localStorage.setItem(name, value);
      }
    },
  };
}
