import { expect, test } from '@jest/globals';
import type { UIMessage } from 'ai';
import { messageChunks } from '../../domain/agent/messageChunks.ts';
import { foldMessage } from './foldMessage.ts';

test('the chunks of a stored message are that message again', async () => {
  const done = { state: 'done' } as const;
  const denied = { id: 'approve-c5', approved: false, reason: "The agent's policy denies this call" };
  const parts = [
    { type: 'step-start' },
    { type: 'reasoning', id: 'r', text: 'hm', ...done },
    { type: 'text', text: 'I look.', ...done },
    { type: 'tool-find', toolCallId: 'c1', state: 'output-available', input: { q: 'x' }, output: null },
    { type: 'tool-find', toolCallId: 'c2', state: 'output-error', input: { q: 'y' }, errorText: 'gone' },
    { type: 'tool-find', toolCallId: 'c3', state: 'output-error', rawInput: '{bad', errorText: 'no JSON' },
    { type: 'dynamic-tool', toolName: 'none', toolCallId: 'c4', state: 'output-error', input: {}, errorText: 'none' },
    { type: 'tool-buy', toolCallId: 'c5', state: 'output-denied', input: {}, approval: denied },
    { type: 'tool-buy', toolCallId: 'c6', state: 'approval-requested', input: {}, approval: { id: 'a6' } },
    { type: 'step-start' },
    { type: 'source-url', sourceId: 's', url: 'https://example.com/', title: 'E' },
    { type: 'text', text: 'Found.', ...done },
  ] as unknown as UIMessage['parts'];
  const folded = await foldMessage('m', undefined, messageChunks(parts));
  expect(JSON.parse(JSON.stringify(folded.parts))).toEqual(parts);
});
