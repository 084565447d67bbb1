import { expect, test } from '@jest/globals';
import { chatMessages, lookBack, type StoredMessage } from './chatMessages.ts';

const user = (text: string): StoredMessage => ({ id: text, role: 'user', parts: [{ type: 'text', text }] });

test('steps are messages of their own, each call with its result', () => {
  const assistant: StoredMessage = {
    id: 'a',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'of another provider' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-find', toolCallId: 'c1', state: 'output-available', input: { q: 'x' }, output: { n: 1 } },
      { type: 'tool-find', toolCallId: 'c2', state: 'output-error', input: { q: 'y' }, errorText: 'gone' },
      { type: 'step-start' },
      { type: 'text', text: 'Found.' },
    ],
  };
  expect(chatMessages('Help.', [user('Find it'), assistant], 'here')).toEqual([
    { role: 'system', content: 'Help.' },
    { role: 'user', content: 'Find it' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"q":"x"}' } },
        { id: 'c2', type: 'function', function: { name: 'find', arguments: '{"q":"y"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"n":1}' },
    { role: 'tool', tool_call_id: 'c2', content: 'Error: gone' },
    { role: 'assistant', content: 'Found.' },
  ]);
});

test('a call that was refused or never finished has a result too', () => {
  const approval = { id: 'x', approved: false, reason: 'too dear' } as const;
  const assistant: StoredMessage = {
    id: 'a',
    role: 'assistant',
    parts: [
      { type: 'tool-buy', toolCallId: 'c1', state: 'output-denied', input: {}, approval },
      { type: 'tool-buy', toolCallId: 'c2', state: 'input-available', input: {} },
    ],
  };
  expect(chatMessages('', [assistant], 'here').slice(1)).toEqual([
    { role: 'tool', tool_call_id: 'c1', content: 'Not allowed: too dear' },
    { role: 'tool', tool_call_id: 'c2', content: 'The call was not finished.' },
  ]);
});

test('a name that the model invented is returned in a form that providers accept', () => {
  const call = { toolCallId: 'c1', state: 'output-error', input: {}, errorText: 'There is no tool' } as const;
  const parts = [{ type: 'dynamic-tool' as const, toolName: `functions.find ${'x'.repeat(64)}`, ...call }];
  expect(chatMessages('', [{ id: 'a', role: 'assistant', parts }], 'here')).toMatchObject([
    { tool_calls: [{ function: { name: `functions_find_${'x'.repeat(49)}` } }] },
    { role: 'tool' },
  ]);
});

test('files are sent as the protocol has them', () => {
  const file = (mediaType: string, url: string) => ({ type: 'file' as const, mediaType, url, filename: 'f' });
  const message: StoredMessage = {
    id: 'u',
    role: 'user',
    parts: [
      { type: 'text', text: 'See' },
      file('image/png', 'data:image/png;base64,AA=='),
      file('text/plain', 'data:text/plain;base64,aGk='),
      file('text/plain', 'data:text/plain,100%ZZ %C3%A4%FFä%'),
      file('application/pdf', 'data:application/pdf;base64,AA=='),
      file('application/pdf', 'https://example.com/a.pdf'),
    ],
  };
  expect(chatMessages('', [message], 'here')).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        { type: 'text', text: 'f:\nhi' },
        { type: 'text', text: 'f:\n100%ZZ ä\ufffdä%' },
        { type: 'file', file: { filename: 'f', file_data: 'data:application/pdf;base64,AA==' } },
        { type: 'text', text: 'f (application/pdf): https://example.com/a.pdf' },
      ],
    },
  ]);
});

test('looking back begins with a message of the user', () => {
  const answer = (id: string): StoredMessage => ({ id, role: 'assistant', parts: [] });
  const all = [user('1'), answer('2'), user('3'), answer('4'), user('5')];
  expect(lookBack(all, undefined)).toEqual(all);
  expect(lookBack(all, 4).map(({ id }) => id)).toEqual(['3', '4', '5']);
  expect(lookBack(all, 1).map(({ id }) => id)).toEqual(['5']);
  expect(lookBack(all.slice(0, 4), 1).map(({ id }) => id)).toEqual(['3', '4']);
});
