import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import { Evaluation } from '../../../engine/evaluation/evaluation.ts';
import { onTestFinished } from '../../../test/setup/jest/onTestFinished.ts';
import { startModelProvider } from '../../../test/setup/providers/modelProvider.ts';
import { say } from '../../../test/setup/providers/modelScript.ts';
import { buildOpenAiClient } from '../../providers/openAiClient.ts';
import { runExecutor } from '../runExecutor.ts';
import { buildChat } from './chat.ts';
import { buildOpenAiCheck } from './check.ts';
import { buildEmbedding } from './embedding.ts';
import { buildStructured } from './structured.ts';

const KEY = 'sk-very-secret-key';
const LOOPBACK = ['127.0.0.1'];
const settings = (allowedPrivateHosts = LOOPBACK, maxAnswerBytes = 100_000) => ({
  openAiClient: buildOpenAiClient({ allowedPrivateHosts, maxAnswerBytes }),
  evaluation: new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000 }),
});
const SCHEMA = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };

const of = (baseUrl: string) => ({ connection: { type: 'apiKey', credentials: { apiKey: KEY, baseUrl } } });
const chat = (baseUrl: string, inputs: JsonObject = {}, given = settings()) =>
  runExecutor(buildChat(given), { model: 'm', prompt: 'Hello', ...inputs }, of(baseUrl));
const structured = (baseUrl: string, inputs: JsonObject = {}) =>
  runExecutor(buildStructured(settings()), { model: 'm', prompt: 'How much?', schema: SCHEMA, ...inputs }, of(baseUrl));

async function startServer(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('openai.chat', () => {
  it('sends instructions, messages and the prompt in this order, the key and the idempotency key', async () => {
    const provider = await startModelProvider();
    provider.answer([...say('Hi'), { usage: { prompt: 7, completion: 1, cached: 3, reasoning: 0 } }]);
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ];
    const result = await chat(provider.baseUrl, { system: 'Be brief.', messages, temperature: 0, maxTokens: 9 });
    expect(result).toEqual({
      ok: true,
      output: {
        ...{ text: 'Hi', finishReason: 'stop', model: 'm' },
        usage: { inputTokens: 7, outputTokens: 1, totalTokens: 8, cachedInputTokens: 3, reasoningTokens: 0 },
      },
    });
    const [{ headers, body } = { headers: {}, body: {} }] = provider.requests;
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'idempotency-key': 'step-1' });
    expect(body).toEqual({
      ...{ model: 'm', temperature: 0, max_completion_tokens: 9 },
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages, { role: 'user', content: 'Hello' }],
    });
  });

  it.each([
    [429, 'PROVIDER_RATE_LIMITED', true],
    [503, 'PROVIDER_STATUS', true],
    [409, 'PROVIDER_STATUS', true],
    [400, 'PROVIDER_STATUS', false],
    [401, 'PROVIDER_UNAUTHENTICATED', false],
  ])('%i is %s, tried again: %s, called once, and its text contains no key', async (status, code, retryable) => {
    const provider = await startModelProvider();
    const error = { message: `Incorrect API key provided: ${KEY}` };
    provider.answer([{ status, headers: { 'retry-after': '7' }, error }]);
    const result = await chat(provider.baseUrl);
    expect(result).toMatchObject({ ok: false, failure: { code, retryable } });
    expect(result.ok ? 0 : result.failure.retryAfterMs).toBe(retryable ? 7_000 : undefined);
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(JSON.stringify(result)).toContain(`answered ${status}: Incorrect API key provided`);
    expect(provider.requests).toHaveLength(1);
  });

  it('ends with its clock, and with the step', async () => {
    const provider = await startModelProvider();
    provider.answerBy(() => [{ hang: true }]);
    expect(await chat(provider.baseUrl, { timeoutMs: 50 })).toMatchObject({ failure: { code: 'PROVIDER_TIMEOUT' } });
    const stops = new AbortController();
    const call = { ...of(provider.baseUrl), signal: stops.signal };
    // On a busy machine the time limit may end a call before the provider receives it.
    const before = provider.requests.length;
    const running = runExecutor(buildChat(settings()), { model: 'm', prompt: 'x' }, call);
    await provider.request(before + 1);
    stops.abort();
    await expect(running).rejects.toThrow(/abort/i);
  });

  it('a connection that breaks may be tried again', async () => {
    const provider = await startModelProvider();
    provider.answer([{ disconnect: true }]);
    expect(await chat(provider.baseUrl)).toMatchObject({ failure: { code: 'PROVIDER_UNREACHABLE', retryable: true } });
  });

  it('calls no private address that the operator has not named', async () => {
    const provider = await startModelProvider();
    const result = await chat(provider.baseUrl, {}, settings([]));
    expect(result).toMatchObject({ failure: { code: 'PROVIDER_REFUSED_ADDRESS', retryable: false } });
    expect(provider.requests).toEqual([]);
  });

  it('follows no redirect: the key is for one address', async () => {
    const provider = await startModelProvider();
    const url = await startServer(307, '', { location: `${provider.baseUrl}/chat/completions` });
    expect(await chat(url)).toMatchObject({ failure: { code: 'PROVIDER_STATUS', retryable: false } });
    expect(provider.requests).toEqual([]);
  });

  it('reads no answer beyond its limit', async () => {
    const url = await startServer(200, `{"x":"${'x'.repeat(2_000)}"}`, { 'content-type': 'application/json' });
    expect(await chat(url, {}, settings(LOOPBACK, 1_000))).toMatchObject({
      failure: { code: 'PROVIDER_ANSWER_TOO_LARGE', retryable: false },
    });
  });

  it('an invalid answer is an error', async () => {
    expect(await chat(await startServer(200, 'hello'))).toMatchObject({ failure: { code: 'PROVIDER_ANSWER_UNCLEAR' } });
    expect(await chat(await startServer(200, '{}', { 'content-type': 'application/json' }))).toMatchObject({
      failure: { code: 'PROVIDER_ANSWER_UNCLEAR' },
    });
  });

  it('a message is required', async () => {
    expect(await chat('http://127.0.0.1:1', { prompt: '' })).toMatchObject({ failure: { code: 'INVALID_INPUT' } });
  });
});

describe('openai.structured', () => {
  it.each([
    ['{"total":3}', 'stop', { ok: true, output: { value: { total: 3 } } }],
    ['{"total":"3"}', 'stop', { failure: { code: 'MODEL_ANSWER_INVALID', retryable: true } }],
    ['3', 'stop', { failure: { message: 'The answer of the model is not a JSON object.' } }],
    ['{"tot', 'length', { failure: { message: 'The answer of the model was cut off: raise maxTokens.' } }],
    ['', 'content_filter', { failure: { code: 'CONTENT_FILTERED', retryable: false } }],
  ] as const)('%s (%s) is %j', async (text, finish, expected) => {
    const provider = await startModelProvider();
    provider.answer([...say(text), { finish }]);
    expect(await structured(provider.baseUrl)).toMatchObject(expected);
    expect(provider.requests[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema: SCHEMA, strict: true },
    });
  });

  it('a refusal of the model, and an invalid schema', async () => {
    const provider = await startModelProvider();
    provider.answer([{ refusal: 'No.' }]);
    expect(await structured(provider.baseUrl)).toMatchObject({ failure: { code: 'MODEL_REFUSED' } });
    expect(await structured(provider.baseUrl, { schema: { type: 'list' } })).toMatchObject({
      failure: { code: 'INVALID_INPUT', message: expect.stringContaining('schema.type') },
    });
  });
});

describe('openai.embedding', () => {
  it('a vector for each text, in their order', async () => {
    const provider = await startModelProvider();
    const inputs = { model: 'e', input: ['b', 'a', 'b'], dimensions: 8 };
    const result = await runExecutor(buildEmbedding(settings()), inputs, of(provider.baseUrl));
    const { vectors } = (result as unknown as { output: { vectors: number[][] } }).output;
    expect(vectors.map((each) => each.length)).toEqual([8, 8, 8]);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[0]).not.toEqual(vectors[1]);
  });
});

describe('the check of a connection', () => {
  const check = (baseUrl: string, apiKey = KEY, allowedPrivateHosts = LOOPBACK) =>
    buildOpenAiCheck({ allowedPrivateHosts, timeoutMs: 5_000 })('apiKey', { apiKey, baseUrl });
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each([
    ['lists its models', 200, '{"data":[]}', undefined],
    ['has no such list', 404, '{}', undefined],
    ['refuses the key', 401, `{"error":{"message":"Wrong key ${KEY}"}}`, /answered 401: Wrong key/],
    ['is out of order', 503, '{}', /answered 503/],
    ['is something else', 200, '{"hello":1}', /not as OpenAI's API/],
  ])('a provider that %s', async (_, status, body, said) => {
    const answer = await check(await startServer(status, body, JSON_TYPE));
    expect(answer ?? '').not.toContain(KEY);
    if (said === undefined) expect(answer).toBeUndefined();
    else expect(answer).toMatch(said);
  });

  it.each([
    ['ftp://x.test', /baseUrl/],
    ['http://u:p@x.test', /baseUrl/],
    ['x.test', /baseUrl/],
    ['http://x.test/v1?key=1', /baseUrl/],
  ])('%s is no address', async (baseUrl, said) => {
    expect(await check(baseUrl)).toMatch(said);
  });

  it('a key that no header can contain, and a private address', async () => {
    expect(await check('', 'a b')).toMatch(/apiKey/);
    expect(await check('http://127.0.0.1:8080/v1', KEY, [])).toMatch(/not a public host/);
  });
});
