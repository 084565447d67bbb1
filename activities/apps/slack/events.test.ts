import { expect, it } from '@jest/globals';
import type { JsonObject } from '../../../domain/json.ts';
import { receiveSlackEvent } from './events.ts';

const event = (members: JsonObject, more: JsonObject = {}): JsonObject => {
  return { type: 'event_callback', event_id: 'Ev1', event: { type: 'message', channel: 'C1', ...members }, ...more };
};
const kindOf = (body: JsonObject, inputs: JsonObject = {}) => receiveSlackEvent(body, inputs).kind;

it('answers the challenge alone with itself', () => {
  const body = { type: 'url_verification', challenge: 'abc', token: 't' };
  expect(receiveSlackEvent(body, { events: 'message' })).toEqual({ kind: 'answer', body: { challenge: 'abc' } });
  expect(kindOf({ ...body, challenge: 'x'.repeat(1_001) })).toBe('ignored');
  expect(kindOf({ ...body, challenge: { a: 1 } })).toBe('ignored');
});

it('an event has its id as key', () => {
  expect(receiveSlackEvent(event({}), {})).toEqual({ kind: 'event', key: 'Ev1' });
});

it.each<[string, JsonObject, JsonObject]>([
  ['a type of the list', event({}), { events: 'app_mention, message' }],
  ['its channel', event({}), { channel: 'C1' }],
  [
    'the channel of its item',
    event({ type: 'reaction_added', channel: null, item: { channel: 'C1' } }),
    { channel: 'C1' },
  ],
  ['a channel as an object', event({ type: 'channel_created', channel: { id: 'C1', name: 'x' } }), { channel: 'C1' }],
  ['a bot that is wanted', event({ bot_id: 'B1' }), { bots: true }],
  ['empty inputs', event({}), { events: ' , ', channel: '' }],
])('takes %s', (_, body, inputs) => {
  expect(kindOf(body, inputs)).toBe('event');
});

it.each<[string, JsonObject, JsonObject]>([
  ['another type', event({}), { events: 'app_mention' }],
  ['another channel', event({}), { channel: 'C2' }],
  ['no channel', event({ type: 'team_join', channel: null }), { channel: 'C1' }],
  ['a bot', event({ bot_id: 'B1' }), {}],
  ['no id', { ...event({}), event_id: null }, {}],
  ['no event', { type: 'app_rate_limited', minute_rate_limited: 1 }, {}],
])('ignores %s', (_, body, inputs) => {
  expect(kindOf(body, inputs)).toBe('ignored');
});

it('ignores what is no object', () => {
  for (const body of [null, 'text', 7, []]) expect(receiveSlackEvent(body, {}).kind).toBe('ignored');
});
