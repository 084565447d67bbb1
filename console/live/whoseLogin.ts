import { createClient, isProblem, type TokenStore, type Tokens } from 'perdure-client';
import { personId } from '../data/personId.ts';
import { pause, untilThere } from './liveness.ts';

/** An API that only puts us off is asked again after this. */
const AGAIN_MS = 5_000;

interface Login {
  id: string;
  workspaceId: string;
  refreshToken: string | undefined;
}

/** Whose login the browser has, once the API says so; undefined where there is none, or it has ended, too. */
export async function whoseLogin(store: Pick<TokenStore, 'get' | 'set'>): Promise<Login | undefined> {
  for (;;) {
    const tokens = await store.get();
    if (tokens === undefined) return undefined;
    try {
      const me = await askedBy(tokens);
      const now = await store.get();
      // Another login may have been done meanwhile.
      if (now?.refreshToken !== tokens.refreshToken) continue;
      return { id: personId(me), workspaceId: me.workspace.id, refreshToken: tokens.refreshToken };
    } catch (error) {
      if (isProblem(error, 'UNAUTHENTICATED')) {
        if ((await store.get())?.refreshToken === tokens.refreshToken) await store.set(undefined);
      } else if (isProblem(error) && error.status === 0) await untilThere();
      else await pause(AGAIN_MS);
    }
  }
}

/** By a client of its own: that of the page waits until it is known who is there. */
async function askedBy({ accessToken, refreshToken }: Tokens) {
  const url = location.origin;
  const ask = (token: string) =>
    createClient({ url, tokens: { accessToken: token }, autoRefresh: false }).getCurrentUser();
  try {
    return await ask(accessToken);
  } catch (error) {
    if (!isProblem(error, 'UNAUTHENTICATED') || refreshToken === undefined) throw error;
    const renewed = await createClient({ url }).refreshToken({ body: { refresh_token: refreshToken } });
    return await ask(renewed.access_token);
  }
}
