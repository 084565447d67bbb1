import { expect, test } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { appFields, withoutAppDefaults } from './appFields.ts';
import { readApp } from './customManifest.ts';

const LIMITS = { maxActions: 600, maxBytes: 1_000_000 };
const read = (more: object) =>
  readApp(
    { slug: 'shop', runs: { on: 'http', baseUrl: 'https://shop.example' }, actions: [{ actionId: 'sell' }], ...more },
    LIMITS,
    new Map(),
  );
const problemsOf = (more: object) => read(more).problems.map(({ path, message }) => `${path}: ${message}`);

test('defaults of an upsert can be left out again, with the same digest', () => {
  const { app } = read({
    connectionTypes: [
      {
        ...{ connectionId: 'login', type: 'oauth2', fields: [] },
        oauth2: { authorizationUrl: 'https://a.example', tokenUrl: 'https://t.example' },
      },
    ],
    actions: [{ actionId: 'sell', effect: 'read', outputSchema: { type: 'object', $ref: '#/x', title: 'Sale' } }],
  });
  if (!app) throw new Error('the app has problems');
  const fields = appFields(app);
  const short = withoutAppDefaults(fields);
  for (const each of [fields, short]) expect(read(each).app?.custom.digest).toBe(app.custom.digest);
  expect((short.actions as JsonObject[])[0]).toEqual({
    ...{ actionId: 'sell', name: 'sell', effect: 'read', outputSchema: { type: 'object' } },
  });
});

test.each([
  [{ slug: '1' }, 'slug: expected a letter, then up to 63 letters, digits, _ or -'],
  [{ actions: [] }, 'actions: required: expected at least one action'],
  [{ triggers: [{}] }, 'triggers: expected none: only built-in apps have triggers'],
  [
    { actions: Array.from({ length: 601 }, (_, index) => ({ actionId: `a${index}` })) },
    'actions: 601 actions, at most 600 are allowed (MAX_APP_ACTIONS)',
  ],
  [
    { actions: [{ actionId: 'a', requiresConnection: true }] },
    'actions[0].requiresConnection: the app has no connectionTypes: expected false',
  ],
  [
    { runs: { on: 'worker', taskQueue: 'q', workflows: ['buy'] } },
    'runs.workflows[0]: expected the id of an action of the app',
  ],
  [
    { runs: { on: 'piece', package: '../piece', version: '1.2.3', bundle: 'a'.repeat(64) } },
    'runs.package: expected the name of a package of npm',
  ],
  [
    { runs: { on: 'piece', package: '@a/piece', version: '^1.2.3', bundle: 'a'.repeat(64) } },
    'runs.version: expected an exact version, such as 1.2.3',
  ],
  [
    { runs: { on: 'piece', package: '@a/piece', version: '1.2.3', bundle: 'a' } },
    'runs.bundle: expected the SHA-256 of an uploaded content, in 64 hexadecimal digits',
  ],
  [
    { actions: [{ actionId: 'a', inputConfig: { fields: [{ key: 'n', type: 'number', options: { load: true } }] } }] },
    'actions[0].inputConfig.fields[0].options: only text, select, multiSelect and json load options',
  ],
])('%j is refused at its place', (more, problem) => {
  expect(problemsOf(more)).toEqual([problem]);
});

test('an app beyond MAX_APP_BYTES is refused as a whole', () => {
  expect(problemsOf({ description: 'x'.repeat(1_000_000) })).toEqual([
    expect.stringMatching(/^: the app has \d+ bytes of JSON, at most 1000000 are allowed \(MAX_APP_BYTES\)$/),
  ]);
});
