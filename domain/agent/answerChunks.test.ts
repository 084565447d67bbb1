import { expect, test } from '@jest/globals';
import { AnswerChunks, type AnswerOptions } from './answerChunks.ts';
import type { ToolPolicy } from './definition.ts';
import type { CallDelta } from './gatheredCalls.ts';
import type { ProviderChunk } from './providerChunk.ts';
import type { OfferedTool } from './tool.ts';

const tool = (name: string, policy: ToolPolicy = 'auto'): OfferedTool => ({
  ...{ name, policy, description: '', kind: 'action', inputSchema: {} },
  problems: (input) => (Object.hasOwn(input, 'bad') ? ['bad: is not taken'] : []),
});

const call = (index: number, name: string, text: string, id?: string): ProviderChunk => ({
  choices: [
    { delta: { tool_calls: [{ index, ...(id === undefined ? {} : { id }), function: { name, arguments: text } }] } },
  ],
});

function answerOf(
  chunks: ProviderChunk[],
  tools: OfferedTool[] = [],
  takenIds: string[] = [],
  more: Partial<AnswerOptions> = {},
) {
  const answer = new AnswerChunks({
    ...{
      prefix: 'p',
      tools,
      takenIds: new Set(takenIds),
      mayCall: true,
      provider: 'here',
      maxCalls: 128,
      cutBefore: 0,
    },
    ...more,
  });
  const streamed = chunks.flatMap((chunk) => answer.take(chunk));
  const { isFinished, hasTooManyCalls } = answer;
  return { streamed, end: answer.end(), isFinished, hasTooManyCalls };
}

test('thoughts and text are parts of their own, closed before the next begins', () => {
  const { streamed, end } = answerOf([
    { choices: [{ delta: { reasoning_content: 'hm' } }] },
    { choices: [{ delta: { content: 'Hel' } }] },
    { choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }] },
    {
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } },
    },
  ]);
  expect(streamed).toEqual([
    { type: 'start-step' },
    { type: 'reasoning-start', id: 'p-1' },
    { type: 'reasoning-delta', id: 'p-1', delta: 'hm' },
    {
      ...{ type: 'reasoning-end', id: 'p-1' },
      providerMetadata: { perdure: { provider: 'here', sentAs: 'reasoning_content' } },
    },
    { type: 'text-start', id: 'p-2' },
    { type: 'text-delta', id: 'p-2', delta: 'Hel' },
    { type: 'text-delta', id: 'p-2', delta: 'lo' },
  ]);
  expect(end).toEqual({
    chunks: [{ type: 'text-end', id: 'p-2' }, { type: 'finish-step' }],
    calls: [],
    continues: false,
    finishReason: 'stop',
    usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5, cachedInputTokens: 0, reasoningTokens: 1 },
  });
});

test('each source address is listed once, and no address that a browser would execute', () => {
  const cited = (url: string, title?: string): ProviderChunk => ({
    choices: [
      { delta: { annotations: [{ type: 'url_citation', url_citation: { url, ...(title ? { title } : {}) } }] } },
    ],
  });
  const { streamed } = answerOf([
    { choices: [{ delta: { content: 'It is so.' } }] },
    cited('https://example.com/a', 'A'),
    cited('https://example.com/a', 'A'),
    cited('http://example.com/b'),
    cited('javascript:alert(1)', 'C'),
    { choices: [{ delta: { annotations: [{ type: 'file_path' }] } }] },
    { choices: [{ delta: { content: ' Yes.' } }] },
  ]);
  expect(streamed.slice(1)).toEqual([
    { type: 'text-start', id: 'p-1' },
    { type: 'text-delta', id: 'p-1', delta: 'It is so.' },
    { type: 'source-url', sourceId: 'p-source-1', url: 'https://example.com/a', title: 'A' },
    { type: 'source-url', sourceId: 'p-source-2', url: 'http://example.com/b' },
    { type: 'text-delta', id: 'p-1', delta: ' Yes.' },
  ]);
});

test('an answer without a word is a step all the same; one that broke off is not finished', () => {
  const { end, isFinished } = answerOf([]);
  expect(end.chunks).toEqual([{ type: 'start-step' }, { type: 'finish-step' }]);
  expect(isFinished).toBe(false);
});

test.each<[ToolPolicy, string, string[]]>([
  ['auto', 'PENDING', ['tool-input-available', 'finish-step']],
  ['approve', 'NEEDS_APPROVAL', ['tool-input-available', 'tool-approval-request', 'finish-step']],
  ['deny', 'DENIED', ['tool-input-available', 'tool-approval-request', 'tool-output-denied', 'finish-step']],
])('a call of a tool with policy %s is %s', (policy, status, shown) => {
  const { streamed, end } = answerOf([call(0, 'add', '{"a":', 'c1'), call(0, '', '1}')], [tool('add', policy)]);
  expect(streamed.map(({ type }) => type)).toEqual([
    'start-step',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-delta',
  ]);
  expect(end.calls).toEqual([{ toolCallId: 'c1', kind: 'action', name: 'add', status, input: { a: 1 } }]);
  expect(end.chunks.map(({ type }) => type)).toEqual(shown);
  expect([end.continues, end.finishReason]).toEqual([true, 'tool-calls']);
});

test.each([
  ['an unknown tool', call(0, 'sub', '{}', 'c1'), 'There is no tool "sub". There are: add'],
  ['arguments that are no JSON', call(0, 'add', '{"a"', 'c1'), 'the arguments are not a JSON object'],
  ['arguments that the tool does not take', call(0, 'add', '{"bad":1}', 'c1'), 'bad: is not taken'],
])('the model receives %s and is called again', (_, chunk, text) => {
  const { end } = answerOf([chunk], [tool('add')]);
  expect(end.calls).toEqual([]);
  expect(end.continues).toBe(true);
  const shown = end.chunks.find(({ type }) => type === 'tool-input-error');
  expect(shown).toMatchObject({ errorText: expect.stringContaining(text) });
});

test('an id that is taken, missing or strange is replaced by one of our own', () => {
  const { end } = answerOf(
    [call(0, 'add', '{}', 'old'), call(1, 'add', '{}'), call(2, 'add', '{}', 'no good'), call(3, 'add', '{}', 'new')],
    [tool('add')],
    ['old'],
  );
  const ids = end.calls.map(({ toolCallId }) => toolCallId);
  // The only form that Mistral accepts.
  const own = expect.stringMatching(/^[A-Za-z0-9]{9}$/);
  expect(ids).toEqual([own, own, own, 'new']);
  expect(new Set(ids).size).toBe(4);
});

const halves = ['\ud83d', '\ude00'] as const;

test('text that Postgres rejects is replaced, and a split surrogate pair is joined', () => {
  const { streamed, end } = answerOf([
    { choices: [{ delta: { reasoning_content: `a\0${halves[0]}` } }] },
    { choices: [{ delta: { content: `b${halves[0]}` } }] },
    { choices: [{ delta: { content: `${halves[1]}c${halves[0]}` }, finish_reason: 'stop' }] },
  ]);
  expect([...streamed, ...end.chunks].flatMap((chunk) => ('delta' in chunk ? [chunk.delta] : [chunk.type]))).toEqual([
    ...['start-step', 'reasoning-start', 'a\ufffd', '\ufffd', 'reasoning-end'],
    ...['text-start', 'b', '😀c', '\ufffd', 'text-end', 'finish-step'],
  ]);
});

test.each([
  ['{"a": "\\u0000"}', 'text with a NUL character or half of a surrogate pair cannot be stored'],
  ['{"a": "\\ud83d"}', 'text with a NUL character or half of a surrogate pair cannot be stored'],
  ['{"a": 1e999}', 'a: is too large for a number'],
  ['{"a": "\0"}', 'the arguments are not a JSON object'],
])('arguments that cannot be stored are an error that the model receives: %j', (text, why) => {
  const { end } = answerOf([call(0, 'look', text, 'c1')], [tool('look')]);
  const errorText = `Invalid arguments: ${why}`;
  const input = text.replace('\0', '\ufffd');
  expect(end.chunks[0]).toEqual({ type: 'tool-input-error', toolCallId: 'c1', toolName: 'look', input, errorText });
  expect(end.calls).toEqual([]);
  expect(end.continues).toBe(true);
});

test('arguments are complete even if a surrogate pair is split', () => {
  const chunks = [call(0, 'look', `{"a": "${halves[0]}`, 'c1'), call(0, '', `${halves[1]}"}`)];
  const { streamed, end } = answerOf(chunks, [tool('look')]);
  expect(streamed.flatMap((chunk) => ('inputTextDelta' in chunk ? [chunk.inputTextDelta] : []))).toEqual([
    '{"a": "',
    '😀"}',
  ]);
  expect(end.calls).toMatchObject([{ input: { a: '😀' } }]);
});

test('the name of an unknown tool is storable', () => {
  const { end } = answerOf([call(0, 'no\0', '{}', 'c1')]);
  const errorText = 'There is no tool "no\ufffd". There are none.';
  expect(end.chunks).toContainEqual(expect.objectContaining({ toolName: 'no\ufffd', errorText }));
});

const piece = (given: CallDelta): ProviderChunk => ({ choices: [{ delta: { tool_calls: [given] } }] });
const whole = (text: string, more: object = {}) => ({ ...more, function: { name: 'look', arguments: text } });
const LOOK = [tool('look'), tool('list')];

test.each<[string, ProviderChunk[]]>([
  ['without an index, by id', [piece(whole('{"n":1}', { id: 'a' })), piece(whole('{"n":2}', { id: 'b' }))]],
  [
    'with index 0 for all, by id',
    [piece(whole('{"n":1}', { index: 0, id: 'a' })), piece(whole('{"n":2}', { index: 0, id: 'b' }))],
  ],
  ['without index and id, each whole', [piece(whole('{"n":1}')), piece(whole('{"n":2}'))]],
  [
    'with index 0 for all and empty ids',
    [piece(whole('{"n":1}', { index: 0, id: '' })), piece(whole('{"n":2}', { index: 0, id: '' }))],
  ],
  ['side by side in one piece', [{ choices: [{ delta: { tool_calls: [whole('{"n":1}'), whole('{"n":2}')] } }] }]],
  [
    'in pieces that name id and tool again',
    ['{"n"', ':1}'].flatMap((text) => [
      piece(whole(text, { index: 0, id: 'a' })),
      piece(whole(text.replace('1', '2'), { index: 1, id: 'b' })),
    ]),
  ],
  [
    'in pieces without an index, in turn',
    [
      piece(whole('{"n"', { id: 'a' })),
      piece(whole('{"n"', { id: 'b' })),
      piece({ id: 'a', function: { arguments: ':1}' } }),
      piece({ id: 'b', function: { arguments: ':2}' } }),
    ],
  ],
  ['whose arguments are objects', [1, 2].map((n) => piece({ function: { name: 'look', arguments: { n } } }))],
])('calls side by side stay apart: %s', (_, chunks) => {
  const { end } = answerOf(chunks, LOOK);
  expect(end.calls.map(({ name, input }) => [name, input])).toEqual([
    ['look', { n: 1 }],
    ['look', { n: 2 }],
  ]);
  expect(new Set(end.calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
});

test.each<[string, string[]]>([
  ['comes again with each piece', ['look', 'look', 'look']],
  ['comes in pieces', ['lo', 'ok', '']],
  ['grows', ['lo', 'look', '']],
])('a name that %s is one name', (_, names) => {
  const texts = ['', '{"n":', '1}'];
  const { end } = answerOf(
    names.map((name, place) => piece({ index: 0, function: { name, arguments: texts[place] } })),
    LOOK,
  );
  expect(end.calls).toMatchObject([{ name: 'look', input: { n: 1 } }]);
});

test('another tool on the same place is another call, also without arguments', () => {
  const { end } = answerOf(
    [piece({ index: 0, function: { name: 'look' } }), piece({ index: 0, function: { name: 'list' } })],
    LOOK,
  );
  expect(end.calls.map(({ name }) => name)).toEqual(['look', 'list']);
});

const finish = (finish_reason: string): ProviderChunk => ({ choices: [{ delta: {}, finish_reason }] });

test.each([
  ['length', 'length', 'limit of output tokens'],
  ['model_length', 'length', 'limit of output tokens'],
  ['content_filter', 'content-filter', 'content filter'],
])('a call that %s cuts off does not run, and the model receives the reason', (reason, finishReason, why) => {
  for (const text of ['', '{"n"', '{}']) {
    const first = call(0, 'look', '{"n":1}', 'a');
    const { end } = answerOf([first, call(1, 'look', text, 'b'), finish(reason)], LOOK);
    expect(end.calls).toMatchObject([{ toolCallId: 'a', status: 'PENDING' }]);
    expect(end.chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-input-error', toolCallId: 'b', errorText: expect.stringContaining(why) }),
    );
    expect(end).toMatchObject({ finishReason, continues: true });
  }
});

test('a model whose answers are always cut off within a call is not called forever', () => {
  const chunks = [call(0, 'look', '{"n"', 'a'), finish('length')];
  expect([0, 1, 2].map((cutBefore) => answerOf(chunks, LOOK, [], { cutBefore }).end.continues)).toEqual([
    true,
    true,
    false,
  ]);
});

test('only a limited number of calls of one answer run, and the model receives errors for the others', () => {
  const calls = Array.from({ length: 5 }, (_, index) => call(index, 'look', '{}', `c${index}`));
  const { end, hasTooManyCalls } = answerOf(calls, LOOK, [], { maxCalls: 3 });
  expect(end.calls.map(({ toolCallId }) => toolCallId)).toEqual(['c0', 'c1', 'c2']);
  const errors = end.chunks.filter(({ type }) => type === 'tool-input-error');
  expect(errors).toMatchObject(
    ['c3', 'c4'].map((toolCallId) => ({ toolCallId, errorText: expect.stringContaining('Only the first 3') })),
  );
  expect([end.continues, hasTooManyCalls]).toEqual([true, false]);
  const many = Array.from({ length: 25 }, (_, index) => call(index, 'look', '{}'));
  expect(answerOf(many, LOOK, [], { maxCalls: 3 }).hasTooManyCalls).toBe(true);
});

test('content in lists is text and thoughts', () => {
  const content = (...pieces: object[]): ProviderChunk => ({ choices: [{ delta: { content: pieces } }] });
  const { streamed, end } = answerOf([
    content({ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }),
    content({ type: 'text', text: 'Hel' }, { type: 'reference', reference_ids: [1] }),
    { choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }] },
  ]);
  expect(
    [...streamed, ...end.chunks].flatMap((chunk) => ('delta' in chunk ? [[chunk.type, chunk.delta]] : [])),
  ).toEqual([
    ['reasoning-delta', 'hm'],
    ['text-delta', 'Hel'],
    ['text-delta', 'lo'],
  ]);
});

test('an answer that ends with an error is not finished', () => {
  expect(answerOf([{ choices: [{ delta: { content: 'Hel' } }] }, finish('error')]).isFinished).toBe(false);
});

test.each([
  [121.5, 122],
  ['121', 121],
  [-3, 0],
  [Number.NaN, 0],
  [1e300, 1e12],
  [{}, 0],
  [null, 0],
])('tokens that a provider counts as %j are %j', (given, tokens) => {
  const { end } = answerOf([{ choices: [], usage: { prompt_tokens: given, completion_tokens: given } }]);
  expect(end.usage).toMatchObject({ inputTokens: tokens, outputTokens: tokens, totalTokens: 2 * tokens });
});
