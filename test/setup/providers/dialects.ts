import type { ChatRequest } from './modelRequest.ts';
import type { ModelStep } from './modelScript.ts';

export interface DialectCall {
  id: string;
  name: string;
  arguments: object;
}

/** The OpenAI protocol as one provider really implements it. */
export interface Dialect {
  /** Derives the connection's base URL from that of the server. */
  place?(baseUrl: string): string;
  /** The response to a request that the provider rejects. */
  refusal?(body: ChatRequest): { status: number; error: object } | undefined;
  /** A text, preceded by a thought if its models think. */
  text(text: string): ModelStep[];
  calls(calls: readonly DialectCall[]): ModelStep[];
  /** The response is cut off at its token limit, within a call. */
  cut(call: DialectCall): ModelStep[];
  /** Members with thoughts and signatures, which no other provider may receive. */
  own?: RegExp;
}

const DONE: ModelStep[] = [{ raw: 'data: [DONE]\n\n' }, { close: true }];
const delta = (given: object, finish_reason: string | null = null, more: object = {}): ModelStep => ({
  chunk: { choices: [{ index: 0, delta: given, finish_reason, logprobs: null }], ...more },
});
const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
const usageChunk: ModelStep = { chunk: { choices: [], usage } };
const json = (value: object) => JSON.stringify(value);
const assistants = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'assistant') as Assistant[];
const refused = (message: string, more: object = {}) => ({ status: 400, error: { message, ...more } });

interface Assistant {
  content?: unknown;
  reasoning_content?: string;
  reasoning_details?: { text?: string; signature?: string }[];
  tool_calls?: { id: string; extra_content?: { google?: { thought_signature?: string } } }[];
}

/** Follows the protocol: the id and name first, then the arguments in pieces, by their index. */
function piecewise(calls: readonly DialectCall[], pieces: (text: string) => string[] = halves): ModelStep[] {
  return calls.flatMap(({ id, name, arguments: given }, index) => [
    delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...pieces(json(given)).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
}

function halves(text: string): string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}

const firstHalf = (text: string) => halves(text).slice(0, 1);

/** Sends each call whole in one chunk, and no usage. `place`: the index of each. */
function ollama(place: object): Dialect {
  const whole = ({ id, name, arguments: given }: DialectCall) =>
    delta({
      role: 'assistant',
      content: '',
      tool_calls: [{ id, ...place, type: 'function', function: { name, arguments: json(given) } }],
    });
  const end = (reason: string) => [delta({ role: 'assistant', content: '' }, reason), ...DONE];
  return {
    text: (text) => [...halves(text).map((content) => delta({ role: 'assistant', content })), ...end('stop')],
    calls: (calls) => [...calls.map(whole), ...end('tool_calls')],
    cut: (call) => [whole({ ...call, arguments: {} }), ...end('length')],
  };
}

/** `end`: the steps after the finish reason. */
function localServer(thought: 'reasoning' | 'reasoning_content', end: ModelStep[]): Dialect {
  const thinks = [
    delta({ role: 'assistant', content: '' }),
    delta({ [thought]: 'Let me ' }),
    delta({ [thought]: 'see.' }),
  ];
  return {
    own: /"reasoning/,
    text: (text) => [...thinks, ...halves(text).map((content) => delta({ content })), delta({}, 'stop'), ...end],
    calls: (calls) => [...thinks, ...piecewise(calls), delta({}, 'tool_calls'), ...end],
    cut: (call) => [...thinks, ...piecewise([call], firstHalf), delta({}, 'length'), ...end],
  };
}

function azure(place: Dialect['place']): Dialect {
  const filters = { content_filter_results: { hate: { filtered: false, severity: 'safe' } } };
  const begin: ModelStep[] = [
    {
      chunk: {
        id: '',
        model: '',
        object: '',
        created: 0,
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, ...filters }],
      },
    },
    delta({ role: 'assistant', content: null, refusal: null }),
  ];
  const filtered = (content: string): ModelStep => ({
    chunk: { choices: [{ index: 0, delta: { content }, finish_reason: null, ...filters }] },
  });
  const end = (reason: string) => [delta({}, reason), usageChunk, ...DONE];
  return {
    ...(place ? { place } : {}),
    refusal: (body) =>
      'max_tokens' in body
        ? refused(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            {
              ...{ type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
            },
          )
        : undefined,
    text: (text) => [...begin, ...halves(text).map(filtered), ...end('stop')],
    calls: (calls) => [...begin, ...piecewise(calls), ...end('tool_calls')],
    cut: (call) => [...begin, ...piecewise([call], firstHalf), ...end('length')],
  };
}

const deepSeekThinks = [
  delta({ role: 'assistant', content: null, reasoning_content: '' }),
  ...['The user ', 'asks.'].map((reasoning_content) => delta({ content: null, reasoning_content })),
];

/** Arguments are sent whole, and all calls have index 0. */
function geminiCalls(calls: readonly DialectCall[]): ModelStep[] {
  return calls.map(({ id, name, arguments: given }, index) => {
    const signed = index === 0 ? { extra_content: { google: { thought_signature: `signed ${id}` } } } : {};
    return delta({
      role: 'assistant',
      tool_calls: [{ ...signed, index: 0, id, type: 'function', function: { name, arguments: json(given) } }],
    });
  });
}

const mistralThinks = ['Well, ', 'well.'].map((text) =>
  delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] }),
);
const mistralId = (id: string) =>
  id
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .padEnd(9, '0')
    .slice(0, 9);
const mistralCalls = (calls: readonly DialectCall[]) =>
  delta(
    {
      content: '',
      tool_calls: calls.map(({ id, name, arguments: given }, index) => ({
        ...{ index, id: mistralId(id), function: { name, arguments: json(given) } },
      })),
    },
    'tool_calls',
    { usage },
  );

const processing: ModelStep = { raw: ': OPENROUTER PROCESSING\n\n' };
const routerThinks = [
  processing,
  ...['Thinking ', 'aloud.'].map((text) =>
    delta({
      ...{ role: 'assistant', content: '', reasoning: text },
      reasoning_details: [{ type: 'reasoning.text', text, format: 'anthropic-claude-v1', index: 0 }],
    }),
  ),
  delta({
    ...{ role: 'assistant', content: '' },
    reasoning_details: [{ type: 'reasoning.text', signature: 'sealed', format: 'anthropic-claude-v1', index: 0 }],
  }),
];

/** The id of the call contains the signature of the thought. */
const liteLlmId = (id: string) => `call_${id}__thought__${'c2lnbmVk'.repeat(40)}==`;

export const DIALECTS: Readonly<Record<string, Dialect>> = {
  'Ollama without an index': ollama({}),
  'Ollama with index 0': ollama({ index: 0 }),
  vLLM: localServer('reasoning', [{ disconnect: true }]),
  'llama.cpp': localServer('reasoning_content', [{ close: true }]),
  'a server that keeps its socket': localServer('reasoning_content', [usageChunk, { hang: true }]),
  'Azure, v1': azure((baseUrl) => baseUrl.replace(/v1$/, 'openai/v1/')),
  'Azure, by deployment': azure((baseUrl) => baseUrl.replace(/v1$/, 'openai/deployments/mine?api-version=2024-10-21')),
  DeepSeek: {
    own: /"reasoning_content"/,
    refusal: (body) =>
      assistants(body).some(({ tool_calls, reasoning_content }) => tool_calls && reasoning_content !== 'The user asks.')
        ? refused('The `reasoning_content` in the thinking mode must be passed back to the API.', {
            type: 'invalid_request_error',
          })
        : undefined,
    text: (text) => [
      ...deepSeekThinks,
      ...halves(text).map((content) => delta({ content, reasoning_content: null })),
      delta({ content: '', reasoning_content: null }, 'stop', { usage }),
      ...DONE,
    ],
    calls: (calls) => [
      ...deepSeekThinks,
      ...piecewise(calls),
      delta({ content: '', reasoning_content: null }, 'tool_calls', { usage }),
      ...DONE,
    ],
    cut: (call) => [
      ...deepSeekThinks,
      ...piecewise([call], firstHalf),
      delta({ content: '' }, 'length', { usage }),
      ...DONE,
    ],
  },
  Gemini: {
    own: /"extra_content"/,
    refusal: (body) =>
      assistants(body).some(
        ({ tool_calls: [call] = [] }) => call && call.extra_content?.google?.thought_signature !== `signed ${call.id}`,
      )
        ? refused('Function call is missing a thought_signature in functionCall parts.', {
            code: 400,
            status: 'INVALID_ARGUMENT',
          })
        : undefined,
    text: (text) => [
      ...halves(text).map((content) => delta({ role: 'assistant', content })),
      delta({ role: 'assistant', extra_content: { google: { thought_signature: 'of the text' } } }, 'stop', { usage }),
      ...DONE,
    ],
    calls: (calls) => [...geminiCalls(calls), delta({ role: 'assistant' }, 'tool_calls', { usage }), ...DONE],
    cut: (call) => [
      ...geminiCalls([{ ...call, arguments: {} }]),
      delta({ role: 'assistant' }, 'length', { usage }),
      ...DONE,
    ],
  },
  Mistral: {
    own: /"thinking"/,
    refusal: (body) => {
      const made = assistants(body);
      if (made.some(({ tool_calls = [] }) => tool_calls.some(({ id }) => !/^[A-Za-z0-9]{9}$/.test(id)))) {
        return refused('Tool call id must be a-z, A-Z, 0-9, with a length of 9.', { type: 'invalid_function_call' });
      }
      const thought = json([{ type: 'thinking', thinking: [{ type: 'text', text: 'Well, well.' }] }]).slice(0, -1);
      if (made.some(({ content }) => !json((content ?? '') as object).startsWith(thought)))
        return refused('A thought is missing.');
      const allowed = new Set(['role', 'content', 'tool_calls']);
      const other = made.flatMap((message) => Object.keys(message)).find((name) => !allowed.has(name));
      return other === undefined ? undefined : { status: 422, error: { message: `extra_forbidden: ${other}` } };
    },
    text: (text) => [
      ...[
        delta({ role: 'assistant', content: '' }),
        ...mistralThinks,
        delta({ content: [{ type: 'text', text: halves(text)[0] }] }),
      ],
      ...[delta({ content: halves(text)[1] }, 'stop', { usage }), ...DONE],
    ],
    calls: (calls) => [...mistralThinks, mistralCalls(calls), ...DONE],
    cut: (call) => [
      ...mistralThinks,
      delta(
        { tool_calls: [{ index: 0, id: mistralId(call.id), function: { name: call.name, arguments: '{"out' } }] },
        'model_length',
        { usage },
      ),
      ...DONE,
    ],
  },
  OpenRouter: {
    own: /"reasoning/,
    refusal: (body) =>
      assistants(body).some(({ tool_calls, reasoning_details }) => {
        const [thought, ...more] = reasoning_details ?? [];
        return tool_calls && (more.length > 0 || thought?.text !== 'Thinking aloud.' || thought.signature !== 'sealed');
      })
        ? refused('The sequence of reasoning blocks must be passed back as it came.')
        : undefined,
    text: (text) => [
      ...routerThinks,
      ...halves(text).map((content) => delta({ content })),
      processing,
      delta({}, 'stop'),
      usageChunk,
      ...DONE,
    ],
    calls: (calls) => [...routerThinks, ...piecewise(calls), delta({ content: '' }, 'tool_calls'), usageChunk, ...DONE],
    cut: (call) => [
      ...routerThinks,
      ...piecewise([call], firstHalf),
      delta({ content: '' }, 'length'),
      usageChunk,
      ...DONE,
    ],
  },
  LiteLLM: {
    own: /__thought__/,
    refusal: (body) =>
      assistants(body).some(({ tool_calls = [] }) => tool_calls.some(({ id }) => !id.includes('__thought__')))
        ? refused('Function call is missing a thought_signature.')
        : undefined,
    text: (text) => [...halves(text).map((content) => delta({ content })), delta({}, 'stop'), usageChunk, ...DONE],
    calls: (calls) => [
      ...piecewise(calls.map((call) => ({ ...call, id: liteLlmId(call.id) }))),
      delta({}, 'tool_calls'),
      usageChunk,
      ...DONE,
    ],
    cut: (call) => [
      ...piecewise([{ ...call, id: liteLlmId(call.id) }], firstHalf),
      delta({}, 'length'),
      usageChunk,
      ...DONE,
    ],
  },
};
