import { expect, test } from '@jest/globals';
import type { AppManifest } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { Problems } from './problems.ts';
import { triggerSchedule } from './triggerSchedule.ts';
import { readTrigger } from './triggerShape.ts';

const url = { key: 'url', label: 'URL', type: 'text', required: true } as const;
const news: AppManifest = {
  appId: 'news',
  name: 'News',
  description: 'News.',
  icon: '',
  categories: [],
  connectionTypes: [],
  actions: [],
  triggers: [
    { triggerId: 'item', name: 'Item', description: 'An item.', permissions: [], inputConfig: { fields: [url] } },
  ],
};
const catalogue = new Map([
  ['news', news],
  ['silent', { ...news, appId: 'silent', triggers: [] }],
]);
const right = { appId: 'news', triggerId: 'item', inputs: { url: 'http://x.test' }, everyMs: 60_000 };

function read(config: JsonObject) {
  const problems = new Problems();
  const trigger = readTrigger({ id: 'trigger', type: 'poll', config }, catalogue, problems);
  return { trigger, problems: problems.all.map(({ path, message }) => `${path}: ${message}`) };
}

test('a poll and its clock', () => {
  const config = { ...right, startWith: 'all', connectionId: 'c' };
  const { trigger, problems } = read(config);
  expect(problems).toEqual([]);
  expect(trigger).toEqual({ id: 'trigger', type: 'poll', config });
  expect(triggerSchedule(trigger)).toEqual({
    kind: 'poll',
    everyMs: 60_000,
    timezone: 'UTC',
    jitterMs: 6_000,
    overlap: 'skip',
    catchupWindowMs: 10_000,
  });
});

test.each([
  [{ appId: 'nothing' }, /config\.appId: there is no app "nothing", expected one of news$/],
  [{ appId: undefined }, /config\.appId: required: the id of the app/],
  [{ triggerId: undefined }, /config\.triggerId: required: the id of a trigger of the app news/],
  [{ triggerId: 'none' }, /config\.triggerId: the app news has no trigger "none", expected one of item/],
  [{ appId: 'silent' }, /config\.triggerId: .* none: it has no triggers/],
  [{ inputs: {} }, /config\.inputs\.url: required/],
  [{ inputs: { url: 'http://x.test', more: 1 } }, /config\.inputs\.more: /],
  [{ inputs: { url: '{{ variables.url }}' } }, /config\.inputs: expected a value: triggers cannot use expressions/],
  [{ everyMs: 10 }, /config\.everyMs: expected whole seconds/],
  [{ everyMs: undefined }, /config\.everyMs: required/],
  [{ startWith: 'old' }, /config\.startWith: expected one of new, all/],
  [{ cron: '* * * * *' }, /config\.cron: .*no such member/],
])('refuses %j', (config, problem) => {
  const { problems } = read({ ...right, ...config } as JsonObject);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
});
