import { expect, test } from '@jest/globals';
import { AnswerChunks, type ProviderChunk } from './answerChunks.ts';
import type { ToolPolicy } from './definition.ts';
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

function answerOf(chunks: ProviderChunk[], tools: OfferedTool[] = [], takenIds: string[] = []) {
  const answer = new AnswerChunks({ prefix: 'p', tools, takenIds: new Set(takenIds), mayCall: true });
  const streamed = chunks.flatMap((chunk) => answer.take(chunk));
  return { streamed, end: answer.end(), isFinished: answer.isFinished };
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
    { type: 'reasoning-end', id: 'p-1' },
    { type: 'text-start', id: 'p-2' },
    { type: 'text-delta', id: 'p-2', delta: 'Hel' },
    { type: 'text-delta', id: 'p-2', delta: 'lo' },
  ]);
  expect(end).toEqual({
    chunks: [{ type: 'text-end', id: 'p-2' }, { type: 'finish-step' }],
    calls: [],
    goesOn: false,
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
  ['deny', 'DENIED', ['tool-input-available', 'tool-output-denied', 'finish-step']],
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
  expect([end.goesOn, end.finishReason]).toEqual([true, 'tool-calls']);
});

test.each([
  ['an unknown tool', call(0, 'sub', '{}', 'c1'), 'There is no tool "sub". There are: add'],
  ['arguments that are no JSON', call(0, 'add', '{"a"', 'c1'), 'the arguments are not a JSON object'],
  ['arguments that the tool does not take', call(0, 'add', '{"bad":1}', 'c1'), 'bad: is not taken'],
])('the model receives %s and is called again', (_, chunk, text) => {
  const { end } = answerOf([chunk], [tool('add')]);
  expect(end.calls).toEqual([]);
  expect(end.goesOn).toBe(true);
  const shown = end.chunks.find(({ type }) => type === 'tool-input-error');
  expect(shown).toMatchObject({ errorText: expect.stringContaining(text) });
});

test('an id that is taken, missing or strange is replaced by one of our own', () => {
  const { end } = answerOf(
    [call(0, 'add', '{}', 'old'), call(1, 'add', '{}'), call(2, 'add', '{}', 'no good'), call(3, 'add', '{}', 'new')],
    [tool('add')],
    ['old'],
  );
  expect(end.calls.map(({ toolCallId }) => toolCallId)).toEqual(['p-call-0', 'p-call-1', 'p-call-2', 'new']);
});

const halves = ['\ud83d', '\ude00'] as const;

test('text that Postgres refuses is replaced, and a character whose halves come apart is put together', () => {
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
  ['{"a": 1e999}', 'a: is larger than a number can be'],
  ['{"a": "\0"}', 'the arguments are not a JSON object'],
])('arguments that cannot be stored are an error that the model receives: %j', (text, why) => {
  const { end } = answerOf([call(0, 'look', text, 'c1')], [tool('look')]);
  const errorText = `The arguments cannot be taken: ${why}`;
  const input = text.replace('\0', '\ufffd');
  expect(end.chunks[0]).toEqual({ type: 'tool-input-error', toolCallId: 'c1', toolName: 'look', input, errorText });
  expect(end.calls).toEqual([]);
  expect(end.goesOn).toBe(true);
});

test('arguments come whole where a character of them comes in halves', () => {
  const chunks = [call(0, 'look', `{"a": "${halves[0]}`, 'c1'), call(0, '', `${halves[1]}"}`)];
  const { streamed, end } = answerOf(chunks, [tool('look')]);
  expect(streamed.flatMap((chunk) => ('inputTextDelta' in chunk ? [chunk.inputTextDelta] : []))).toEqual([
    '{"a": "',
    '😀"}',
  ]);
  expect(end.calls).toMatchObject([{ input: { a: '😀' } }]);
});

test('the name of a tool that is not there is storable', () => {
  const { end } = answerOf([call(0, 'no\0', '{}', 'c1')]);
  const errorText = 'There is no tool "no\ufffd". There are none.';
  expect(end.chunks).toContainEqual(expect.objectContaining({ toolName: 'no\ufffd', errorText }));
});
