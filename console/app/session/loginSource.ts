import { createClient, isProblem, type Perdure, type TokenStore, type Tokens } from 'perdure-client';
import { pause, untilThere } from '../../ui/load/liveness.ts';
import { personId } from '../storage/personId.ts';

/** The pause after an answer that decides nothing, such as 429. */
const AGAIN_MS = 5_000;

interface Place {
  id: string;
  workspaceId: string;
}

interface Login extends Place {
  refreshToken: string | undefined;
}

type Store = Pick<TokenStore, 'get' | 'set'>;

/**
 * Asks the API whose login the browser has; undefined if none or expired. A login by link or provider opens the first
 * workspace that the person joined: this switches it to that of the page's owner (`waiting`).
 */
export async function whoseLogin(store: Store, waiting?: Place): Promise<Login | undefined> {
  for (;;) {
    const tokens = await store.get();
    if (tokens === undefined) return undefined;
    const isStill = async () => (await store.get())?.refreshToken === tokens.refreshToken;
    try {
      const me = await by(tokens, (client) => client.getCurrentUser());
      const found = { id: personId(me), workspaceId: me.workspace.id, refreshToken: tokens.refreshToken };
      const next = leadsElsewhere(found, waiting) ? await entered(waiting.workspaceId, tokens) : undefined;
      // Another tab may have logged in meanwhile.
      if (!(await isStill())) continue;
      if (next === undefined) return found;
      await store.set(next);
    } catch (error) {
      const hasEnded = isProblem(error, 'UNAUTHENTICATED');
      if (!hasEnded) await untilAnswers(error);
      else if (await isStill()) await store.set(undefined);
    }
  }
}

const leadsElsewhere = (found: Place, waiting: Place | undefined): waiting is Place =>
  waiting?.id === found.id && waiting.workspaceId !== found.workspaceId;

const untilAnswers = (error: unknown) => (isProblem(error) && error.status === 0 ? untilThere() : pause(AGAIN_MS));

/** Switches the login to another workspace; undefined if the person has no access to it. */
async function entered(workspaceId: string, tokens: Tokens): Promise<Tokens | undefined> {
  try {
    const { access_token, refresh_token } = await by(tokens, (client) =>
      client.switchWorkspace({ body: { workspaceId } }),
    );
    return { accessToken: access_token, refreshToken: refresh_token };
  } catch (error) {
    if (isProblem(error) && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Uses a client of its own: that of the page waits for the result. */
async function by<Answer>(
  { accessToken, refreshToken }: Tokens,
  ask: (client: Perdure) => Promise<Answer>,
): Promise<Answer> {
  const url = location.origin;
  const asked = (token: string) => ask(createClient({ url, tokens: { accessToken: token }, autoRefresh: false }));
  try {
    return await asked(accessToken);
  } catch (error) {
    if (!isProblem(error, 'UNAUTHENTICATED') || refreshToken === undefined) throw error;
    const renewed = await createClient({ url }).refreshToken({ body: { refresh_token: refreshToken } });
    return await asked(renewed.access_token);
  }
}
