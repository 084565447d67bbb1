import { expect, test } from '@jest/globals';
import { slack } from '../../activities/apps/slack/manifest.ts';
import type { JsonObject } from '../json.ts';
import { Problems } from './problems.ts';
import { MAX_DUPLICATES_MS, readWebhook } from './webhookShape.ts';

const SLACK = slack();
const POLLED = { ...SLACK, appId: 'feed', triggers: SLACK.triggers.map(({ webhook: _, ...rest }) => rest) };
const APPS = new Map([SLACK, POLLED].map((app) => [app.appId, app]));
const EVENTS = { appId: 'slack', triggerId: 'events' };

function read(config: JsonObject) {
  const problems = new Problems();
  const trigger = readWebhook(config, APPS, problems);
  return { trigger, places: problems.all.map(({ path }) => path) };
}

test.each<[JsonObject]>([
  [{}],
  [{ respond: 'whenFinished', secret: 's' }],
  [{ hmac: { secret: 's' } }],
  [{ hmac: { secret: 's', header: 'X-Hub-Signature-256', format: 'body' } }],
  [{ hmac: { secret: 's', format: 'timestamped', toleranceSeconds: 86_400 } }],
  [{ duplicates: { key: '{{ trigger.body.id }}', forMs: MAX_DUPLICATES_MS } }],
  [{ duplicates: { key: 'trigger.headers["x-delivery"]', forMs: 1 } }],
])('%j holds', (config) => {
  expect(read(config)).toEqual({ trigger: { id: 'trigger', type: 'webhook', config }, places: [] });
});

test.each<[JsonObject, string]>([
  [{ respond: 'later' }, 'respond'],
  [EVENTS, 'hmac'],
  [{ ...EVENTS, hmac: {} }, 'hmac.secret'],
  [{ ...EVENTS, hmac: { secret: 's', format: 'body' } }, 'hmac.format'],
  [{ ...EVENTS, hmac: { secret: 's', header: 'X-Other' } }, 'hmac.header'],
  [{ ...EVENTS, hmac: { secret: 's' }, respond: 'whenFinished' }, 'respond'],
  [{ ...EVENTS, hmac: { secret: 's' }, inputs: { events: 7 } }, 'inputs.events'],
  [{ ...EVENTS, hmac: { secret: 's' }, inputs: { other: 7 } }, 'inputs.other'],
  [{ ...EVENTS, hmac: { secret: 's' }, inputs: { channel: '{{ trigger.body.channel }}' } }, 'inputs'],
  [{ appId: 'slack', hmac: { secret: 's' } }, 'triggerId'],
  [{ appId: 'feed', triggerId: 'events', hmac: { secret: 's' } }, 'triggerId'],
  [{ appId: 'other', triggerId: 'events', hmac: { secret: 's' } }, 'appId'],
  [{ secret: '' }, 'secret'],
  [{ method: 'POST' }, 'method'],
  [{ hmac: 'secret' }, 'hmac'],
  [{ hmac: {} }, 'hmac.secret'],
  [{ hmac: { secret: 's', header: 'X Y' } }, 'hmac.header'],
  [{ hmac: { secret: 's', format: 'sha1' } }, 'hmac.format'],
  [{ hmac: { secret: 's', toleranceSeconds: 0 } }, 'hmac.toleranceSeconds'],
  [{ hmac: { secret: 's', toleranceSeconds: 86_401 } }, 'hmac.toleranceSeconds'],
  [{ hmac: { secret: 's', format: 'body', toleranceSeconds: 1 } }, 'hmac.toleranceSeconds'],
  [{ hmac: { secret: 's', algorithm: 'md5' } }, 'hmac.algorithm'],
  [{ duplicates: [] }, 'duplicates'],
  [{ duplicates: { forMs: 1 } }, 'duplicates.key'],
  [{ duplicates: { key: 'trigger.body.id' } }, 'duplicates.forMs'],
  [{ duplicates: { key: 'trigger.body.id', forMs: 0 } }, 'duplicates.forMs'],
  [{ duplicates: { key: 'trigger.body.id', forMs: MAX_DUPLICATES_MS + 1 } }, 'duplicates.forMs'],
  [{ duplicates: { key: 'trigger.body.', forMs: 1 } }, 'duplicates.key'],
  [{ duplicates: { key: '{{ steps.a.output }}', forMs: 1 } }, 'duplicates.key'],
  [{ duplicates: { key: '{{ variables.a }}{{ trigger.body.id }}', forMs: 1 } }, 'duplicates.key'],
  [{ duplicates: { key: '{{ 1 + 1 }}', forMs: 1 } }, 'duplicates.key'],
  [{ duplicates: { key: 'trigger.body.id', forMs: 1, scope: 'all' } }, 'duplicates.scope'],
])('%j is refused with its place', (config, member) => {
  expect(read(config).places).toEqual([`trigger.config.${member}`]);
});

test('the trigger of an app has the format in which the app signs', () => {
  const config = { ...EVENTS, inputs: { channel: 'C1' }, hmac: { secret: 's' } };
  expect(read(config)).toMatchObject({
    trigger: { config: { ...config, hmac: { secret: 's', format: 'slack' } } },
    places: [],
  });
});
