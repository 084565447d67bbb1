import { expect, test } from '@jest/globals';
import { contextOverflowOf, smallerContext } from './contextOverflow.ts';

test.each<[number | undefined, string[], string, object | undefined]>([
  // OpenAI, Azure, vLLM.
  [
    400,
    ['context_length_exceeded', 'invalid_request_error'],
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 12031 tokens.",
    { tokens: 8192 },
  ],
  [
    400,
    ['BadRequestError'],
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    { tokens: 4096 },
  ],
  // Through gateways.
  [400, ['invalid_request_error'], 'prompt is too long: 208310 tokens > 200000 maximum', { tokens: 200_000 }],
  [
    400,
    [],
    'The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).',
    { tokens: 1_048_576 },
  ],
  // Mistral, llama.cpp.
  [
    400,
    ['invalid_request_prompt'],
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    { tokens: 32_768 },
  ],
  [
    400,
    ['exceed_context_size_error'],
    'the request exceeds the available context size. try increasing the context size',
    {},
  ],
  // As an error in a stream, with only a name.
  [undefined, ['context_length_exceeded'], '', {}],
  [413, ['request_too_large'], 'Request too large', {}],
  [400, ['invalid_request_error'], "Unsupported parameter: 'max_tokens'", undefined],
  [400, ['content_filter'], 'The prompt was filtered', undefined],
  [429, ['rate_limit_exceeded'], 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000', undefined],
  [401, ['invalid_api_key'], 'maximum context length', undefined],
  [500, [], 'maximum context length is 8192 tokens', undefined],
])('%p %j %s', (status, names, said, expected) => expect(contextOverflowOf(status, names, said)).toEqual(expected));

test('the next request fits with its answer, by the reported limit or by half, and is always smaller', () => {
  expect(smallerContext({ tokens: 8_192 }, 12_000, 0)).toBe(6_553);
  expect(smallerContext({ tokens: 8_192 }, 12_000, 2_000)).toBe(4_953);
  expect(smallerContext({ tokens: 8_192 }, 12_000, 100_000)).toBe(3_276);
  expect(smallerContext({}, 12_000, 2_000)).toBe(6_000);
  expect(smallerContext({ tokens: 100_000 }, 12_000, 0)).toBe(6_000);
});
