import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { readServiceConfig, SETTINGS } from '../../config.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import {
  environmentOf,
  parseCompose,
  placeholdersOf,
  readComposeText,
  type Service,
} from '../production/composeFile.ts';
import { argumentOf, stageOf } from '../production/image.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';

const text = readComposeText();
const compose = parseCompose(text);
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build !== undefined);
const example = readFileSync(join(PROJECT_ROOT, '.env.example'), 'utf8');
/** Settings without a default that a deployment needs. */
const REQUIRED = { api: ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'ENCRYPTION_KEY', 'TOKEN_SECRET'] };
const filled = {
  ...{ POSTGRES_PASSWORD: 'p', TOKEN_SECRET: 't'.repeat(32), ENCRYPTION_KEY: 'first:a2V5' },
  PUBLIC_URL: 'https://perdure.example.com',
};
/** The image sets it for all processes. */
const [, imageHost] = /\bHOST=(\S+)/.exec(stageOf().find(([instruction]) => instruction === 'ENV')?.[1] ?? '') ?? [];

function millisecondsOf(span: string): number {
  const [, count, unit] = /^(\d+)(s|m)$/.exec(span) ?? [];
  return Number(count) * (unit === 'm' ? 60_000 : 1_000);
}

test('the file is valid by the Compose specification', () => {
  const schema = JSON.parse(
    readFileSync(join(PROJECT_ROOT, 'node_modules/dclint/schemas/compose.schema.json'), 'utf8'),
  );
  // Ajv knows draft 7 only by its http address.
  const ajv = new Ajv({ strict: false, allErrors: true });
  (addFormats as unknown as (target: Ajv) => void)(ajv);
  const validate = ajv.compile({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' });
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
  validate({ ...compose, services: { ...compose.services, api: { build: '.', restrat: 'always' } } });
  expect(validate.errors).not.toEqual([]);
});

test('our containers may write nowhere, have no privilege, and a bound of memory', () => {
  for (const [name, service] of ours) {
    expectAbout(service, name).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: '2g',
    });
  }
});

test("every service's condition names a service that can fulfil it", () => {
  for (const [name, { depends_on = {} }] of services) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      const awaited = compose.services[other];
      expectAbout(awaited, `${name} waits for ${other}`).toBeDefined();
      if (condition === 'service_healthy') expectAbout(awaited?.healthcheck?.test, other).toBeDefined();
      // A job that is always restarted never completes.
      if (condition === 'service_completed_successfully') expect(awaited?.restart).toMatch(/^on-failure/);
    }
  }
});

test('folders that are built from or mounted are there', () => {
  for (const [, { build, volumes = [] }] of services) {
    const folder = typeof build === 'object' ? build.context : build;
    if (folder !== undefined) expect(existsSync(join(PROJECT_ROOT, folder, 'Dockerfile'))).toBe(true);
    for (const volume of volumes) {
      const source = volume.split(':')[0] as string;
      const isThere = source.startsWith('.')
        ? existsSync(join(PROJECT_ROOT, source))
        : source in (compose.volumes ?? {});
      expectAbout(isThere, source).toBe(true);
    }
  }
  for (const [, { entrypoint }] of services) {
    const script = entrypoint?.at(-1)?.replace('/deploy/', 'deploy/temporal/');
    if (script !== undefined) expectAbout(existsSync(join(PROJECT_ROOT, script)), script).toBe(true);
  }
});

test('config.ts knows each of our settings, and accepts its value', () => {
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'worker', 'api', 'save']);
  for (const [name, service] of ours) {
    const environment = environmentOf(service, filled);
    const unknown = Object.keys(environment).filter((key) => !(key in SETTINGS.shape) && !key.startsWith('TEMPORAL_'));
    expectAbout(unknown, name).toEqual([]);
    const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
    expectAbout(SETTINGS.safeParse(present).error?.issues ?? [], name).toEqual([]);
    // Workers write links of questions.
    const process = { HOST: imageHost, ...environment };
    if (['api', 'worker'].includes(name)) expect(() => readServiceConfig(process)).not.toThrow();
  }
  const api = environmentOf(compose.services.api as Service, filled);
  expect(Object.keys(api)).toEqual(expect.arrayContaining(REQUIRED.api));
});

test('settings named in the pages for operators reach the processes', () => {
  const pages = ['operations', 'access'].map((name) => readFileSync(join(PROJECT_ROOT, `docs/${name}.md`), 'utf8'));
  const exported = pages.flatMap((page) => [...page.matchAll(/^export (\w+)=/gm)].map(([, name]) => name as string));
  expect(exported).toEqual(expect.arrayContaining(['SMTP_URL', 'SSO_PROVIDERS']));
  const [api, worker] = [compose.services.api, compose.services.worker].map((each) =>
    Object.keys(environmentOf(each as Service, filled)),
  );
  const both = [
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'MODEL_PRICES',
    'SMTP_URL',
    'MAIL_FROM',
    'CLIENT_URL',
    'PUBLIC_URL',
  ];
  expect(api).toEqual(expect.arrayContaining([...exported, ...both]));
  expect(worker).toEqual(expect.arrayContaining(both));
});

test('secrets and the address are asked for, never defaulted, and .env.example names every variable', () => {
  const placeholders = placeholdersOf(text);
  const required = new Set(placeholders.filter(({ isRequired }) => isRequired).map(({ name }) => name));
  expect([...required].sort()).toEqual(['ENCRYPTION_KEY', 'POSTGRES_PASSWORD', 'PUBLIC_URL', 'TOKEN_SECRET']);
  for (const { name, isRequired, whenAbsent } of placeholders) {
    expectAbout(isRequired || whenAbsent !== undefined, `${name} is neither required nor defaulted`).toBe(true);
    if (required.has(name)) expectAbout(isRequired, name).toBe(true);
  }
  const documented = [...example.matchAll(/^(#?)([A-Z_]+)=(.*)$/gm)].map(([, off, name, value]) => ({
    off,
    name,
    value,
  }));
  expect(documented.map(({ name }) => name).sort()).toEqual([...new Set(placeholders.map(({ name }) => name))].sort());
  expect(
    documented
      .filter(({ off }) => off === '')
      .map(({ name, value }) => `${name}=${value}`)
      .sort(),
  ).toEqual([...required].sort().map((name) => `${name}=`));
});

test('only the API and, from this machine alone, UI and monitoring can be reached', () => {
  const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));
  expect(published).toEqual([
    ['temporal-ui', expect.stringMatching(/^127\.0\.0\.1:/)],
    ['api', expect.stringMatching(/:3000$/)],
    ['prometheus', expect.stringMatching(/^127\.0\.0\.1:/)],
    ['grafana', expect.stringMatching(/^127\.0\.0\.1:/)],
  ]);
});

test('a mere start has no monitoring, and Prometheus reads every process of ours', () => {
  const named = services.filter(([, { profiles }]) => profiles !== undefined);
  expect(named.map(([name, { profiles }]) => [name, profiles])).toEqual([
    ['save', ['save']],
    ['prometheus', ['monitoring']],
    ['grafana', ['monitoring']],
  ]);
  const prometheus = readFileSync(join(PROJECT_ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8');
  const [job] = (parse(prometheus) as { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] })
    .scrape_configs;
  expect(job?.dns_sd_configs[0]).toMatchObject({ names: ['api', 'worker'], port: SETTINGS.parse({}).METRICS_PORT });
});

test('images are pinned, services start again, and stopping leaves time to drain', () => {
  for (const [name, { image, build, restart }] of services) {
    // Run by hand: the exit code is its result.
    expectAbout(restart, name).toMatch(name === 'save' ? /^no$/ : /^(unless-stopped|on-failure:\d+)$/);
    if (build === undefined) expectAbout(image, name).toMatch(/:v?\d+\.\d+\.\d+/);
  }
  for (const [name, service] of ours) {
    if (name === 'save') continue;
    const drain = Number(environmentOf(service, filled).DRAIN_TIMEOUT_MS);
    expectAbout(drain, name).toBeGreaterThan(0);
    expect(millisecondsOf(service.stop_grace_period ?? '')).toBeGreaterThan(drain);
    expectAbout(service.command?.[0], `${name} in exec form`).toBe('node');
  }
});

test('backups are made by the programs of the server, and of all three databases', () => {
  const { postgres, save, ...rest } = compose.services as Record<string, Service>;
  expect(argumentOf('POSTGRES_IMAGE')).toBe(postgres?.image);
  const target = typeof save?.build === 'object' ? save.build.target : '';
  const stage = stageOf(target);
  expect(stage[0]).toEqual(['FROM', `\${POSTGRES_IMAGE} AS ${target}`]);
  // Both images contain the same files.
  const copied = (instructions: [string, string][]) => instructions.filter(([instruction]) => instruction === 'COPY');
  expect(copied(stage)).toEqual(expect.arrayContaining(copied(stageOf())));
  expect(stage).toContainEqual(['ENTRYPOINT', '["node", "dist/api/admin/main.js"]']);

  const given = environmentOf(save as Service, filled);
  const theirs = environmentOf(rest['temporal-schema'] as Service, filled);
  const script = readFileSync(join(PROJECT_ROOT, 'deploy/temporal/setup-schema.sh'), 'utf8');
  const named = (variable: string) => new RegExp(`\\$\\{${variable}:-(\\w+)\\}`).exec(script)?.[1];
  const url = (database: string | undefined) =>
    `postgresql://${theirs.SQL_USER}:${theirs.SQL_PASSWORD}@${theirs.SQL_HOST}:${theirs.SQL_PORT}/${database}`;
  const api = environmentOf(rest.api as Service, filled);
  expect(given).toEqual({
    DATABASE_URL: api.DATABASE_URL,
    TEMPORAL_DATABASE_URL: url(named('DBNAME')),
    TEMPORAL_VISIBILITY_DATABASE_URL: url(named('VISIBILITY_DBNAME')),
    TEMPORAL_NAMESPACE: api.TEMPORAL_NAMESPACE,
    ENCRYPTION_KEY: api.ENCRYPTION_KEY,
  });
});
