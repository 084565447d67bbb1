import { durationWritten } from '../../../domain/durationWords.ts';
import { providerOf } from '../../providers/chosenProvider.ts';
import { buildOpenAiClient } from '../../providers/openAiClient.ts';
import { providerFailure } from '../../providers/providerFailure.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';

const MAX_BYTES = 4_194_304;
/** Not every provider lists its models. One that answers so has accepted the key. */
const NO_LIST = new Set([404, 405, 501]);

export function buildOpenAiCheck({ timeoutMs, ...guard }: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  const openAiClient = buildOpenAiClient({ ...guard, maxAnswerBytes: MAX_BYTES });
  return async (_connectionType, credentials, workspaceId) => {
    const { apiKey = '', baseUrl = '' } = credentials;
    if (!/^[\x21-\x7e]+$/.test(apiKey)) return 'apiKey: expected letters, digits and signs without spaces';
    if (baseUrl !== '' && !isAddress(baseUrl)) {
      return 'baseUrl: expected an http or https address without user, fragment and query (but api-version), such as https://models.example.com/v1';
    }
    const { client, secrets } = await providerOf(openAiClient, credentials, workspaceId);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // Not models.list(), which accepts any object as an empty list.
      const answer = await client.get<{ data?: unknown }>('/models', { signal });
      return Array.isArray(answer?.data) ? undefined : "The address answers, but not as OpenAI's API does";
    } catch (error) {
      if (signal.aborted) return `The model provider did not answer within ${durationWritten(timeoutMs)}`;
      const status = (error as { status?: unknown }).status;
      if (typeof status === 'number' && NO_LIST.has(status)) return undefined;
      return (await providerFailure(error, secrets)).message;
    }
  };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, searchParams, hash } = new URL(text);
  const isPlain = [username, password, hash].every((each) => each === '');
  return /^https?:$/.test(protocol) && isPlain && [...searchParams.keys()].every((name) => name === 'api-version');
}
