import type { ChosenProvider } from './chosenProvider.ts';

/** The limit of output tokens has two names: OpenAI's newer models reject the old one, other providers the new one. */
export type LimitName = 'max_tokens' | 'max_completion_tokens';

/** Hosts whose newest models are OpenAI's. */
const OPENAI_HOSTS =
  /(^|\.)(api\.openai\.com|openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/i;
const MAX_REMEMBERED = 1_000;

/** The names that providers, and each of their models, have accepted in this process. The newest is last. */
const remembered = new Map<string, LimitName>();

/** If the name that was accepted last is rejected with a 400, sends the other once and remembers it. */
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
      // The name was not the cause; the first error is.
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
