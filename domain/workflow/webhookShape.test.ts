import { expect, test } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { Problems } from './problems.ts';
import { MAX_DUPLICATES_MS, readWebhook } from './webhookShape.ts';

function read(config: JsonObject) {
  const problems = new Problems();
  const trigger = readWebhook(config, problems);
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
