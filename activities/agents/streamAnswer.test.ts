import { expect, test } from '@jest/globals';
import { startModelProvider } from '../../test/setup/providers/modelProvider.ts';
import type { ModelStep } from '../../test/setup/providers/modelScript.ts';
import { providerOf } from '../providers/chosenProvider.ts';
import { buildOpenAiClient } from '../providers/openAiClient.ts';
import { streamAnswer } from './streamAnswer.ts';

async function streamed(
  script: ModelStep[],
  {
    timeoutMs = 600_000,
    ...limits
  }: { firstByteMs: number; idleMs: number; maxAnswerBytes?: number; timeoutMs?: number },
) {
  const server = await startModelProvider();
  server.answer(script);
  const client = buildOpenAiClient({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 1_000_000, ...limits });
  const provider = await providerOf(client, { apiKey: 'sk-x', baseUrl: server.baseUrl }, undefined);
  let chunks = 0;
  const body = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], stream: true as const };
  const failure = await streamAnswer(
    provider,
    { body, limit: undefined, timeoutMs },
    {
      stop: new AbortController().signal,
      take: ({ choices }) => {
        chunks += 1;
        return choices?.[0]?.finish_reason ? 'finished' : 'continues';
      },
    },
  );
  return { failure, chunks };
}

test('an answer that does not begin in time fails and is retried', async () => {
  const { failure, chunks } = await streamed([{ waitMs: 3_000 }, { text: 'late' }], {
    firstByteMs: 300,
    idleMs: 60_000,
  });
  expect([failure?.retryable, chunks]).toEqual([true, 0]);
  // PROVIDER_TIMEOUT; in jest the package does not recognize the abort error, which is from another realm.
  expect(failure?.code).toMatch(/^PROVIDER_(TIMEOUT|UNREACHABLE)$/);
});

test('so has one that falls silent', async () => {
  const { failure, chunks } = await streamed([{ text: 'Hel' }, { hang: true }], { firstByteMs: 60_000, idleMs: 1_000 });
  expect([failure?.code, failure?.retryable, chunks]).toEqual(['PROVIDER_TIMEOUT', true, 1]);
});

test('comments in the stream keep a silent model alive', async () => {
  const alive = Array.from({ length: 6 }, (): ModelStep[] => [{ raw: ': PROCESSING\n\n' }, { waitMs: 600 }]).flat();
  const { failure } = await streamed([...alive, { text: 'Hello' }], { firstByteMs: 60_000, idleMs: 1_500 });
  expect(failure).toBeUndefined();
});

test.each<[string, ModelStep[]]>([
  ['comments', [{ raw: ': PROCESSING\n\n' }]],
  ['words', [{ text: 'and so on, ' }]],
  ['pieces of one event', [{ raw: 'data: x' }]],
])('an endless trickle of %s ends at the time limit of the whole call', async (_, piece) => {
  const trickle = Array.from({ length: 300 }, (): ModelStep[] => [...piece, { waitMs: 100 }]).flat();
  const { failure } = await streamed(trickle, { firstByteMs: 60_000, idleMs: 60_000, timeoutMs: 1_000 });
  expect(failure).toEqual({
    code: 'PROVIDER_TIMEOUT',
    message: 'The model provider did not answer within 1 s.',
    retryable: true,
  });
});

test('the cost of an endless event is linear in its length', async () => {
  // The package used to scan all of it for each piece, which blocked the process for most of a minute.
  const endless = Array.from({ length: 33 }, (): ModelStep => ({ raw: 'z'.repeat(1_000_000) }));
  const limits = { firstByteMs: 600_000, idleMs: 600_000, maxAnswerBytes: 32_000_000 };
  const { failure, chunks } = await streamed([{ text: 'Hel' }, { raw: 'data: ' }, ...endless], limits);
  expect([failure?.code, failure?.retryable, chunks]).toEqual(['PROVIDER_ANSWER_TOO_LARGE', false, 1]);
});
