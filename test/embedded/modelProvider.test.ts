import { expect, test } from '@jest/globals';
import { startModelProvider } from '../setup/providers/modelProvider.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';

const post = (url: string, body: object, signal?: AbortSignal) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

test('a script is streamed as OpenAI streams, usage last where it was asked for', async () => {
  const provider = await startModelProvider();
  provider.answer([
    { reasoning: 'hm' },
    ...say('Hel', 'lo'),
    ...callTools({ id: 'c1', name: 'add', arguments: { a: 1 } }),
  ]);
  const body = { ...CHAT, stream: true, stream_options: { include_usage: true } };
  const text = await (await post(`${provider.baseUrl}/chat/completions`, body)).text();
  const chunks = text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  const deltas = chunks.map(({ choices }) => choices[0]?.delta ?? {});
  expect(deltas.map(({ content = '' }) => content).join('')).toBe('Hello');
  expect(deltas.map(({ tool_calls }) => tool_calls?.[0].function.arguments ?? '').join('')).toBe('{"a":1}');
  expect(chunks.at(-2).choices[0].finish_reason).toBe('tool_calls');
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
  expect(provider.requests).toMatchObject([{ sent: 'Hello', aborted: false, body: { model: 'm' } }]);
});

test('an answer that is not streamed is whole', async () => {
  const provider = await startModelProvider();
  provider.answer([...say('Hel', 'lo'), { finish: 'length' }, { usage: { prompt: 7, cached: 3 } }]);
  const answer = await (await post(`${provider.baseUrl}/chat/completions`, CHAT)).json();
  expect(answer).toMatchObject({
    choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'length' }],
    usage: { prompt_tokens: 7, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } },
  });
});

test('failures come as scripted, before the answer and in its middle', async () => {
  const provider = await startModelProvider();
  provider.answer(
    [{ status: 429, headers: { 'retry-after': '1' } }],
    [...say('a'), { disconnect: true }],
    [{ hang: true }],
  );
  const url = `${provider.baseUrl}/chat/completions`;
  const refused = await post(url, CHAT);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  await expect(post(url, { ...CHAT, stream: true }).then((answer) => answer.text())).rejects.toThrow();
  const leaving = new AbortController();
  await post(url, { ...CHAT, stream: true }, leaving.signal);
  const hanging = await provider.request(3);
  leaving.abort();
  await hanging.ended;
  expect(hanging.aborted).toBe(true);
  expect((await post(url, CHAT)).status).toBe(400);
});

test('embeddings follow from the text', async () => {
  const provider = await startModelProvider();
  provider.failEmbeddings({ status: 503 });
  const url = `${provider.baseUrl}/embeddings`;
  const body = { model: 'e', input: ['red apples', 'red apples', 'blue'], dimensions: 64 };
  expect((await post(url, body)).status).toBe(503);
  // biome-ignore lint/suspicious/noExplicitAny: OpenAI's answer
  const { data } = (await (await post(url, body)).json()) as any;
  expect(data[0].embedding).toEqual(data[1].embedding);
  expect(data[0].embedding).not.toEqual(data[2].embedding);
  expect(data[0].embedding).toHaveLength(64);
  // biome-ignore lint/suspicious/noExplicitAny: OpenAI's answer
  const packed = (await (await post(url, { ...body, encoding_format: 'base64' })).json()) as any;
  const floats = new Float32Array(new Uint8Array(Buffer.from(packed.data[0].embedding, 'base64')).buffer);
  expect(floats).toHaveLength(64);
});
