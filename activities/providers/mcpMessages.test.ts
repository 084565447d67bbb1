import { expect, test } from '@jest/globals';
import { MAX_MESSAGES, McpEvents, McpUnclear, messagesIn } from './mcpMessages.ts';

const given = (...pieces: string[]) => {
  const events = new McpEvents();
  const written = pieces.map((piece) => events.take(new TextEncoder().encode(piece)));
  return { written, events };
};
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"text":"é"}}';
const ASKS = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"id":1}}';

test('an answer is passed on for all line endings and all cuts between pieces', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const stream = new TextEncoder().encode(`event: message${end}data: ${ANSWER}${end}${end}:${end}`);
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const events = new McpEvents();
      const written = events.take(stream.subarray(0, cut)) + events.take(stream.subarray(cut));
      expect(written).toBe(`data: ${ANSWER}\n\n`);
      expect(events).toMatchObject({ isAnswered: true, mayResume: false });
    }
  }
});

test('the lines of an event are one message, and an event without an end is none', () => {
  const { written, events } = given('data: {"id":1,\ndata:"result":{}}\n', '\n', `data: ${ANSWER}`);
  expect(written).toEqual(['', 'data: {"id":1,"result":{}}\n\n', '']);
  expect(events.isAnswered).toBe(true);
});

test('notifications, comments and unknown fields are left out; a question is not an answer', () => {
  const { written, events } = given(`data: ${NOTE}\n\n: x\nfoo: 1\nevent: other\ndata: ${ANSWER}\n\ndata: ${ASKS}\n\n`);
  expect(written).toEqual([`data: ${ASKS}\n\n`]);
  expect(events.isAnswered).toBe(false);
});

test('the last place of a piece is passed on, and a pause is never zero', () => {
  const { written, events } = given('id: 1\ndata:\n\nid: 2\ndata:\n\n', 'retry: 5000\n\n', 'retry: 0\n\n', 'id: 3\n\n');
  expect(written).toEqual(['id: 2\ndata:\n\n', 'retry: 5000\n', 'retry: 100\n', '']);
  expect(events.mayResume).toBe(true);
});

test('a server that asks too often, or sends no JSON, violates the protocol', () => {
  const most = `data: ${ASKS}\n\n`.repeat(MAX_MESSAGES);
  expect(given(most).written[0]).toHaveLength(most.length);
  expect(() => given(most, `data: ${ANSWER}\n\n`)).toThrow(new McpUnclear('with more than 100 messages'));
  expect(() => given('data: {"id":\n\n')).toThrow(new McpUnclear('with a message that is no JSON'));
});

test('a list of messages keeps those that are no notifications', () => {
  expect(messagesIn(`[${NOTE},${ANSWER},1,null]`)).toEqual([JSON.parse(ANSWER)]);
  expect(messagesIn(`[${NOTE}]`)).toEqual([]);
  expect(() => messagesIn(`[${`${ASKS},`.repeat(MAX_MESSAGES)}${ASKS}]`)).toThrow(McpUnclear);
});
