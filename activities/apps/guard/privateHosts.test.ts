import { expect, test } from '@jest/globals';
import { byWorkspace } from './privateHosts.ts';

const OURS = '01935b1e-7c00-7c4f-8d6a-000000000001';
const OTHERS = '01935b1e-7c00-7c4f-8d6a-000000000002';
const allowedPrivateHosts = [
  'all.internal',
  `db.internal:5432@${OURS}/postgres`,
  `[::1]:80@${OURS.toUpperCase()}`,
  'models.internal/openai',
];
const hostsOf = (app: string) => byWorkspace({ allowedPrivateHosts }, app, (settings) => settings.allowedPrivateHosts);

test.each([
  ['http', OURS, ['all.internal', '[::1]:80']],
  ['http', OTHERS, ['all.internal']],
  ['http', undefined, ['all.internal']],
  ['postgres', OURS, ['all.internal', 'db.internal:5432', '[::1]:80']],
  ['postgres', OTHERS, ['all.internal']],
  ['openai', OTHERS, ['all.internal', 'models.internal']],
])('%s of %s reaches its own hosts and those of all', (app, workspaceId, hosts) => {
  expect(hostsOf(app)(workspaceId)).toEqual(hosts);
});

test('workspaces without hosts of their own share one; others have theirs, and the same each time', () => {
  let made = 0;
  const one = byWorkspace({ allowedPrivateHosts }, 'http', () => {
    made += 1;
    return { made };
  });
  expect(one(OTHERS)).toBe(one(undefined));
  expect(one(OURS)).toBe(one(OURS));
  expect(one(OURS)).not.toBe(one(OTHERS));
  expect(made).toBe(2);
});
