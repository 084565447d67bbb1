import { describe, expect, test } from '@jest/globals';
import { LOCAL_EMBEDDING } from '../../domain/knowledge/embedding.ts';
import { startModelProvider } from '../../test/setup/providers/modelProvider.ts';
import { buildOpenAiClient } from '../providers/openAiClient.ts';
import { buildEmbedders } from './buildEmbedders.ts';

const openAiClient = buildOpenAiClient({ allowedPrivateHosts: ['127.0.0.1'], maxAnswerBytes: 1_000_000 });
const config = {
  ...{ OPENAI_API_KEY: 'sk-secret-key', EMBEDDING_TIMEOUT_MS: 20_000 },
  ...{ EMBEDDING_THREADS: 1, EMBEDDING_MAX_WAITING: 1_000 },
};
const of = (baseUrl: string, more: Partial<typeof config> = {}) =>
  buildEmbedders({ config: { ...config, OPENAI_BASE_URL: baseUrl, ...more }, openAiClient });
const local = of('http://unused.test');
const OPENAI = { embeddingProvider: 'openai', embeddingModel: 'text-embedding-3-small', dimensions: 64 } as const;

const similarity = (a: readonly number[] = [], b: readonly number[] = []) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);

describe('the local encoder', () => {
  const PAIRS = [
    ['How do I get my money back?', 'Refunds are paid within five days after we have received the returned goods.'],
    ['My parcel has not arrived', 'Delivery takes two working days; a late shipment can be traced by its number.'],
    ['I forgot my password', 'To sign in again, ask for a link that lets you choose a new secret word.'],
    ['Which animals can live in my flat?', 'Tenants may keep cats and small dogs in their apartments.'],
    ['When does the shop open?', 'Our store is open from nine in the morning until six in the evening.'],
    ['Is it going to rain tomorrow?', 'The forecast for the next day says showers and wind from the west.'],
  ] as const;

  test('a paraphrase finds its text first', async () => {
    const questions = await local.embed(
      LOCAL_EMBEDDING,
      PAIRS.map(([question]) => question),
    );
    const answers = await local.embed(
      LOCAL_EMBEDDING,
      PAIRS.map(([, answer]) => answer),
    );
    const first = questions.map((question) => {
      const scores = answers.map((answer) => similarity(question, answer));
      return scores.indexOf(Math.max(...scores));
    });
    expect(first.filter((found, index) => found === index).length).toBeGreaterThanOrEqual(5);
  }, 60_000);

  test('vectors have length 1, also for a text longer than one window of the encoder', async () => {
    const long = `${'The harbour is closed in winter. '.repeat(40)}${'Apples are sold by weight. '.repeat(40)}`;
    const [vector, harbour, apples, space] = await local.embed(LOCAL_EMBEDDING, [
      ...[long, 'The harbour is closed in winter.', 'Apples are sold by weight.', 'Stars explode.'],
    ]);
    expect(vector).toHaveLength(512);
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
    for (const part of [harbour, apples])
      expect(similarity(vector, part)).toBeGreaterThan(similarity(vector, space) + 0.1);
  }, 60_000);

  test('it runs off the event loop', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 5);
    await local.embed(LOCAL_EMBEDDING, ['The harbour is closed in winter. '.repeat(100)]);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  }, 60_000);

  test('a caller that leaves while it waits is not served', async () => {
    const stops = new AbortController();
    const running = local.embed(LOCAL_EMBEDDING, ['a'.repeat(2_000)]);
    const waiting = local.embed(LOCAL_EMBEDDING, ['b'], { signal: stops.signal });
    stops.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(await running).toHaveLength(1);
  }, 60_000);
});

test('a request above the waiting limit of the encoder is rejected immediately, as retryable', async () => {
  const few = of('http://unused.test', { EMBEDDING_MAX_WAITING: 2 });
  const ask = (isUrgent: boolean) => few.embed(LOCAL_EMBEDDING, ['a'], { isUrgent });
  const refused = { failure: { code: 'ENCODER_BUSY', retryable: true } };
  // One runs and two wait; urgent tasks have their own queue.
  const served = [ask(false), ask(false), ask(false)];
  await expect(ask(false)).rejects.toMatchObject(refused);
  served.push(ask(true), ask(true));
  await expect(ask(true)).rejects.toMatchObject(refused);
  expect((await Promise.all(served)).map((vectors) => vectors.length)).toEqual([1, 1, 1, 1, 1]);
  expect(await ask(false)).toHaveLength(1);
}, 60_000);

describe('the provider', () => {
  test('is called once for all texts, with dimensions if the model shortens', async () => {
    const provider = await startModelProvider();
    const vectors = await of(provider.baseUrl).embed(OPENAI, ['a', 'b', 'a']);
    expect([vectors.length, vectors[0]?.length]).toEqual([3, 64]);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(provider.requests.map(({ body }) => [body.input, body.dimensions])).toEqual([[['a', 'b', 'a'], 64]]);
  });

  test.each([
    [429, { code: 'PROVIDER_RATE_LIMITED', retryable: true, retryAfterMs: 3_000 }],
    [400, { code: 'PROVIDER_STATUS', retryable: false }],
  ])('the status %i becomes the failure of the call', async (status, failure) => {
    const provider = await startModelProvider();
    provider.failEmbeddings({ status, headers: { 'retry-after': '3' } });
    await expect(of(provider.baseUrl).embed(OPENAI, ['a'])).rejects.toMatchObject({ failure });
  });

  test('a provider that does not answer within EMBEDDING_TIMEOUT_MS is a retryable failure', async () => {
    const provider = await startModelProvider();
    const release = provider.holdEmbeddings();
    const asked = of(provider.baseUrl, { EMBEDDING_TIMEOUT_MS: 100 }).embed(OPENAI, ['a']);
    await expect(asked).rejects.toMatchObject({ failure: { code: 'PROVIDER_TIMEOUT', retryable: true } });
    release();
  });

  test('an error text does not contain the key, even if the provider repeats it', async () => {
    const provider = await startModelProvider();
    provider.failEmbeddings({ status: 401, message: `Wrong key: ${config.OPENAI_API_KEY}.` });
    const failure = await of(provider.baseUrl)
      .embed(OPENAI, ['a'])
      .then(
        () => 'embedded',
        (error) => JSON.stringify([error.message, error.failure]),
      );
    expect(failure).toContain('Wrong key');
    expect(failure).not.toContain(config.OPENAI_API_KEY);
  });

  test("vectors with other dimensions than the base's are refused", async () => {
    const provider = await startModelProvider();
    const asked = of(provider.baseUrl).embed({ ...OPENAI, embeddingModel: 'own' }, ['a']);
    await expect(asked).rejects.toMatchObject({ failure: { code: 'EMBEDDING_DIMENSIONS', retryable: false } });
  });
});

test.each(['local', 'openai'] as const)(
  'texts are split by the tokens of %s',
  async (embeddingProvider) => {
    const rules = { chunkSize: 50, chunkOverlap: 10 };
    const text = 'The harbour is closed in winter, <|endoftext|> and opens again in April. '.repeat(30);
    const chunks = await local.split({ ...OPENAI, embeddingProvider }, text, rules);
    expect(chunks.length).toBeGreaterThan(5);
    for (const { tokens } of chunks) expect(tokens).toBeLessThanOrEqual(50);
    expect(chunks[0]?.text).toMatch(/^The harbour.*April\.$/s);
  },
  60_000,
);
