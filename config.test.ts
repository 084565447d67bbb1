import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readConfig, readEmbeddedConfig, readServiceConfig, SETTINGS } from './config.ts';
import { SETTINGS_PAGE, settingsTables, tablesOf } from './tools/settingsPage.ts';

describe('docs/settings.md', () => {
  test('has the tables of all settings (npm run settings writes it)', () => {
    expect(tablesOf(readFileSync(SETTINGS_PAGE, 'utf8'))).toBe(settingsTables());
  });

  test('describes the purpose of each setting', () => {
    const rows = settingsTables()
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(Object.keys(SETTINGS.shape).length);
    for (const row of rows) expect(row).toMatch(/^\| `[A-Z0-9_]+` \| (`[^|]+`)? \| .+\. \|$/);
  });

  test('shows each default in the form of a setting: set explicitly, it changes nothing', () => {
    const documented = [...settingsTables().matchAll(/^\| `(\w+)` \| `(.+?)` \|/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(documented.length).toBeGreaterThan(20);
    expect(readConfig(Object.fromEntries(documented))).toEqual(readConfig({}));
  });
});

describe('readConfig', () => {
  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['DATABASE_POOL_SIZE', '0'],
    ['PUBLIC_URL', 'perdure.example'],
    ['PUBLIC_URL', 'https://perdure.example/api'],
    ['TOKEN_SECRET', 'short'],
    ['TOKEN_SECRET', `${'x'.repeat(32)},short`],
    ['ACCESS_TOKEN_TTL', '900'],
    ['REFRESH_TOKEN_TTL', '1w'],
    ['MAX_BODY_BYTES', '1MiB'],
    ['SYNC_RUN_TIMEOUT_MS', '-1'],
    ['DATABASE_STATEMENT_TIMEOUT_MS', '2147483648'],
    ['ENABLE_TESTING_APP', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['SSO_PROVIDERS', 'acme'],
    ['MODEL_PRICES', 'cheap'],
    ['CLIENT_URL', 'perdure.example'],
    ['SMTP_URL', 'https://mail.example'],
    // Each of these was once accepted, and then matched nothing, led nowhere, or ended the process with an unrelated
    // error.
    ['PUBLIC_URL', 'localhost:3000'],
    ['PUBLIC_URL', 'https://perdure.example/?a=b'],
    ['CLIENT_URL', 'localhost:5173'],
    ['CORS_ALLOWED_ORIGINS', 'https://app.example/'],
    ['CORS_ALLOWED_ORIGINS', 'https://app.example, app.example'],
    ['CORS_ALLOWED_ORIGINS', '*'],
    ['TRUST_PROXY', 'yes'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['HTTP_ALLOWED_PRIVATE_HOSTS', 'http://localhost:8080'],
    ['HTTP_ALLOWED_PRIVATE_HOSTS', '10.0.0.0/8'],
    ['HTTP_ALLOWED_PRIVATE_HOSTS', 'db.internal/nothing'],
    ['HTTP_ALLOWED_PRIVATE_HOSTS', 'db.internal@ours'],
    ['DATABASE_URL', 'mysql://localhost/perdure'],
    ['DATABASE_URL', 'localhost/perdure'],
    ['TEMPORAL_ADDRESS', 'http://localhost:7233'],
    ['ACCESS_TOKEN_TTL', '0m'],
    ['QUEUE_ITEM_RETENTION_DAYS', '-1'],
    ['TASK_RETENTION_DAYS', '1.5'],
    ['STATE_CHANGE_RETENTION_DAYS', '36501'],
    ['SWEEP_INTERVAL_MS', '0'],
  ])('%s=%s is an error that names the setting', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^The environment is not valid:\n  ${name}: .+$`));
  });

  test.each([
    ['PUBLIC_URL', 'https://Perdure.example/'],
    ['CLIENT_URL', 'http://localhost:5173/app'],
    ['CORS_ALLOWED_ORIGINS', 'https://app.example, http://localhost:5173'],
    ['TRUST_PROXY', '2'],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8, 10.1.0.0/255.255.0.0, fd00::/8, ::1'],
    ['HTTP_ALLOWED_PRIVATE_HOSTS', 'localhost, db_1.internal:5432, 127.0.0.1:80, ::1, [::1]:80, [fd00::1]'],
    ['HTTP_ALLOWED_PRIVATE_HOSTS', 'a.internal/openai, b.internal:1@01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f/postgres'],
    ['DATABASE_URL', 'postgres://postgres@%2Ftmp%2Fsocket/postgres'],
    ['TEMPORAL_ADDRESS', '[::1]:7233'],
    ['TEMPORAL_ADDRESS', 'temporal.example'],
    ['OAUTH2_CLIENTS', '[{"appId":"github","clientId":"c","clientSecret":"s"}]'],
  ])('%s=%s is taken', (name, value) => {
    expect(() => readConfig({ [name]: value })).not.toThrow();
  });

  test('requires PUBLIC_URL if other machines can reach the process, so that no link follows a Host header', () => {
    const given = (HOST: string, PUBLIC_URL?: string) => () => readServiceConfig({ HOST, PUBLIC_URL });
    for (const host of ['0.0.0.0', '::', '10.1.2.3', 'perdure.internal']) {
      expect(given(host)).toThrow(`\n  PUBLIC_URL: required if HOST (${host}) is not a loopback address`);
      expect(given(host, '')).toThrow('PUBLIC_URL: required');
      expect(given(host, 'https://api.example')).not.toThrow();
      // A migration, a backup or an admin command in the same image writes no links.
      expect(() => readConfig({ HOST: host })).not.toThrow();
    }
    for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1']) expect(given(host)).not.toThrow();
    expect(() => readServiceConfig({})).not.toThrow();
    // All problems at once.
    expect(() => readServiceConfig({ HOST: '0.0.0.0', SMTP_URL: 'smtp://mail.example' })).toThrow(
      /CLIENT_URL: required if SMTP_URL is set.*\n {2}PUBLIC_URL: required/,
    );
  });

  test('the deployment has no client of the app http: people choose where that would send its secret', () => {
    const clients = '[{"appId":"http","clientId":"c","clientSecret":"s"}]';
    expect(() => readConfig({ OAUTH2_CLIENTS: clients })).toThrow(
      'OAUTH2_CLIENTS.0.appId: expected an app other than http',
    );
  });

  test('names the mistake in a provider of single sign-on', () => {
    const provider = {
      id: 'acme',
      name: 'Acme',
      issuer: 'https://id.acme.example',
      clientId: 'perdure',
      clientSecret: 'a-secret',
      workspaceId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f',
      domains: ['Acme.example'],
    };
    const read = (...providers: object[]) =>
      readConfig({ CLIENT_URL: 'https://app.example', SSO_PROVIDERS: JSON.stringify(providers) });
    expect(read(provider).SSO_PROVIDERS).toEqual([
      expect.objectContaining({ domains: ['acme.example'], defaultRole: 'consumer', ssoEnforced: false }),
    ]);
    expect(read({ ...provider, issuer: 'http://127.0.0.1:8080' }).SSO_PROVIDERS).toHaveLength(1);
    expect(() => read({ ...provider, issuer: 'http://id.acme.example' })).toThrow(
      /SSO_PROVIDERS\.0\.issuer: expected https/,
    );
    expect(() => read(provider, provider)).toThrow('SSO_PROVIDERS: names an id twice');
    expect(() => read({ ...provider, surprise: 1 })).toThrow('SSO_PROVIDERS.0');
    expect(() => readConfig({ SSO_PROVIDERS: JSON.stringify([provider]) })).toThrow('CLIENT_URL: required');
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example' })).toThrow('CLIENT_URL: required');
    // Users return to the console of `npm start`, whose port is known.
    const providers = JSON.stringify([provider]);
    const smtp = 'smtp://mail.example';
    expect(() => readEmbeddedConfig({ SSO_PROVIDERS: providers, SMTP_URL: smtp })).not.toThrow();
    for (const more of [{ CONSOLE: 'off' }, { PORT: '0' }]) {
      expect(() => readEmbeddedConfig({ SSO_PROVIDERS: providers, ...more })).toThrow('CLIENT_URL: required');
      expect(() => readEmbeddedConfig({ SMTP_URL: smtp, ...more })).toThrow('CLIENT_URL: required');
    }
    expect(() => readConfig({ SESSION_IDLE_TIMEOUT: '15m' })).toThrow('SESSION_IDLE_TIMEOUT: expected longer than');
    expect(readConfig({ SESSION_IDLE_TIMEOUT: '16m' }).SESSION_IDLE_TIMEOUT).toBe(960_000);
    expect(() => read({ ...provider, issuer: 1 })).not.toThrow(/a-secret/);
  });

  test('takes prices of models as numbers and texts, and keeps their digits', () => {
    const read = (input: unknown, more = {}) =>
      readConfig({ MODEL_PRICES: JSON.stringify({ currency: 'USD', models: { m: { input, output: 1, ...more } } }) });
    expect(read(0.1).MODEL_PRICES).toEqual({ currency: 'USD', models: { m: { input: '0.1', output: '1' } } });
    expect(read('0.000000001').MODEL_PRICES?.models.m?.input).toBe('0.000000001');
    expect(readConfig({}).MODEL_PRICES).toBeUndefined();
    for (const wrong of [-1, '1e3', 1e-7, '1.0000000001', '', null]) {
      expect(() => read(wrong)).toThrow(/MODEL_PRICES\.models\.m\.input/);
    }
    expect(() => read(1, { surprise: 1 })).toThrow('MODEL_PRICES.models.m');
  });

  test('names every wrong setting at once, and no value', () => {
    const read = () => readConfig({ PORT: 'x', TOKEN_SECRET: 'a-secret-too-short', LOG_LEVEL: 'loud' });
    expect(read).toThrow(/ {2}PORT: .+\n {2}LOG_LEVEL: .+\n {2}TOKEN_SECRET: /);
    expect(read).not.toThrow(/a-secret-too-short/);
  });

  test('takes an empty text for not set, and knows nothing of other variables', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', HOME: '/root' })).toEqual(readConfig({}));
  });

  test.each([
    [{ ACCESS_TOKEN_TTL: '90s' }, { ACCESS_TOKEN_TTL: 90_000 }],
    [{ REFRESH_TOKEN_TTL: '12h' }, { REFRESH_TOKEN_TTL: 43_200_000 }],
    [{}, { ACCESS_TOKEN_TTL: 900_000, REFRESH_TOKEN_TTL: 2_592_000_000 }],
    [
      { CORS_ALLOWED_ORIGINS: 'https://a.example, https://b.example,' },
      { CORS_ALLOWED_ORIGINS: ['https://a.example', 'https://b.example'] },
    ],
    [{ ENABLE_TESTING_APP: 'true' }, { ENABLE_TESTING_APP: true }],
    [{ PORT: '0' }, { PORT: 0 }],
  ])('%j reads as %j', (environment, expected) => {
    expect(readConfig(environment)).toMatchObject(expected);
  });
});
