import { expect, test } from '@jest/globals';
import { Problem } from '../problem.ts';
import { turnRequest } from './turnRequest.ts';

const text = { type: 'text', text: 'Hi' };

test('only the last of several messages counts, in every form of the request', () => {
  const message = { id: 'm2', role: 'user', parts: [text] };
  const taken = {
    kind: 'message',
    message: { id: 'm2', role: 'user', parts: [text], metadata: undefined },
    replaces: false,
  };
  expect(turnRequest({ messages: [{ id: 'm1', role: 'user', parts: [] }, message] })).toEqual(taken);
  expect(turnRequest({ message })).toEqual(taken);
  expect(turnRequest({ message, messageId: 'm2' })).toMatchObject({ replaces: true });
});

test('a chat client and plain REST answer an approval the same way', () => {
  const answers = [{ approvalId: 'x', approved: false, reason: 'no' }];
  const part = {
    type: 'tool-buy',
    toolCallId: 'c',
    state: 'approval-responded',
    approval: { id: 'x', approved: false, reason: 'no' },
  };
  const plain = { type: 'tool-approval-response', approvalId: 'x', approved: false, reason: 'no' };
  for (const each of [part, plain]) {
    expect(turnRequest({ message: { id: 'a', role: 'assistant', parts: [text, each] } })).toEqual({
      kind: 'approval',
      messageId: 'a',
      answers,
    });
  }
});

test('an approval that is both granted and rejected is not answered', () => {
  const answer = (approved: boolean) => ({ type: 'tool-approval-response', approvalId: 'x', approved });
  const requested = (...given: boolean[]) => turnRequest({ message: { role: 'assistant', parts: given.map(answer) } });
  expect(requested(true, true)).toMatchObject({ answers: [{ approvalId: 'x', approved: true }] });
  expect(() => requested(true, false)).toThrow(Problem);
});

test('regenerate needs no message', () => {
  expect(turnRequest({ trigger: 'regenerate-message', messageId: 'a' })).toEqual({
    kind: 'regenerate',
    messageId: 'a',
  });
});

test.each([
  [{}, 'message'],
  [{ messages: [] }, 'messages[0]'],
  [{ message: { role: 'system', parts: [text] } }, 'message.role'],
  [{ message: { role: 'assistant', parts: [text] } }, 'message.parts'],
  [{ message: { role: 'user', id: 'a b', parts: [text] } }, 'message.id'],
  [{ message: { role: 'user', parts: [] } }, 'message.parts'],
  [{ message: { role: 'user', parts: [{ type: 'tool-x' }] } }, 'message.parts[0]'],
  [{ message: { role: 'user', parts: [{ type: 'file', mediaType: 'a/b', url: 'file:///etc' }] } }, 'message.parts[0]'],
])('%j is refused at %s', (body, path) => {
  expect.assertions(1);
  try {
    turnRequest(body);
  } catch (error) {
    expect((error as Problem).errors?.map((each) => each.path)).toEqual([path]);
  }
});
