import { expect, test } from '@jest/globals';
import type { UIMessageChunk } from 'ai';
import { mergeDeltas } from './mergeDeltas.ts';
import { closersOf } from './openParts.ts';

test('open parts are closed; a call with its result stays unchanged', () => {
  const chunks: UIMessageChunk[] = [
    { type: 'start-step' },
    { type: 'tool-input-available', toolCallId: 'done', toolName: 't', input: {} },
    { type: 'tool-output-available', toolCallId: 'done', output: 1 },
    { type: 'tool-input-available', toolCallId: 'runs', toolName: 't', input: {} },
    { type: 'tool-input-start', toolCallId: 'half', toolName: 't' },
    { type: 'text-start', id: 'a' },
  ];
  expect(closersOf(chunks, 'Stopped')).toEqual([
    { type: 'text-end', id: 'a' },
    { type: 'tool-output-error', toolCallId: 'runs', errorText: 'Stopped' },
    { type: 'tool-input-error', toolCallId: 'half', toolName: 't', input: '', errorText: 'Stopped' },
    { type: 'finish-step' },
  ]);
  expect(closersOf([...chunks, ...closersOf(chunks, 'Stopped')], 'Stopped')).toEqual([]);
});

test('deltas of one part that follow each other are one', () => {
  const delta = (id: string, text: string): UIMessageChunk => ({ type: 'text-delta', id, delta: text });
  const input = (toolCallId: string, text: string): UIMessageChunk => ({
    type: 'tool-input-delta',
    toolCallId,
    inputTextDelta: text,
  });
  expect(
    mergeDeltas([delta('a', 'x'), delta('a', 'y'), delta('b', 'z'), input('c', '{'), input('c', '}'), input('d', '')]),
  ).toEqual([delta('a', 'xy'), delta('b', 'z'), input('c', '{}'), input('d', '')]);
});
