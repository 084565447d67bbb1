import type { ChosenProvider } from './chosenProvider.ts';

/** The two names that a limit of output tokens has: OpenAI's newer models refuse the old one, other providers do not know the new one. */
export type LimitName = 'max_tokens' | 'max_completion_tokens';

/** The hosts of providers whose newest models are OpenAI's. */
const OPENAI_HOSTS =
  /(^|\.)(api\.openai\.com|openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/i;
/** Providers and models whose name of the limit is remembered. */
const MAX_REMEMBERED = 1_000;

/** What providers have taken, in this process: of a provider, and of each of its models. The newest last. */
const remembered = new Map<string, LimitName>();

/**
 * Asks with the limit under the name that the provider took last. Where it refuses that name by a 400 it is asked once
 * more with the other, which is remembered. Throws what `ask` throws.
 */
export async function withLimit<T>(
  { client, id }: ChosenProvider,
  { model, limit, usual }: { model: string; limit: number | undefined; usual?: LimitName },
  ask: (limit: Partial<Record<LimitName, number>>, isAgain: boolean) => Promise<T>,
): Promise<T> {
  if (limit === undefined) return ask({}, false);
  const name = remembered.get(`${id} ${model}`) ?? remembered.get(id) ?? usual ?? usualName(client.baseURL);
  try {
    return await ask({ [name]: limit }, false);
  } catch (error) {
    if (!refusesName(error)) throw error;
    const other = name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    const answer = await ask({ [other]: limit }, true).catch((again: unknown) => {
      // It was not the name: the first error says what it was.
      throw refusesName(again) ? error : again;
    });
    remember(id, other);
    remember(`${id} ${model}`, other);
    return answer;
  }
}

function usualName(baseUrl: string): LimitName {
  const isOpenAi = URL.canParse(baseUrl) && OPENAI_HOSTS.test(new URL(baseUrl).hostname);
  return isOpenAi ? 'max_completion_tokens' : 'max_tokens';
}

function refusesName(error: unknown): boolean {
  const { status, message, param } = (error ?? {}) as { status?: unknown; message?: unknown; param?: unknown };
  return (status === 400 || status === 422) && /max_(completion_)?tokens/.test(`${String(message)} ${String(param)}`);
}

function remember(key: string, name: LimitName): void {
  remembered.delete(key);
  remembered.set(key, name);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
}
