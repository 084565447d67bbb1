import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readServiceConfig, SETTINGS } from '../../config.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { CHART_SETTINGS, settingNames } from '../../tools/settingsPage.ts';
import { parseCompose, readComposeText } from '../production/composeFile.ts';
import { stageOf } from '../production/image.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import {
  CHART,
  type Container,
  expectValid,
  helm,
  type PodSpec,
  podsOf,
  rendered,
  resourcesOf,
  run,
  whole,
} from './renderedChart.ts';

const EVERYTHING = {
  temporal: { address: 'frontend.example:7233', tlsSecret: 'temporal-client' },
  certificatesConfigMap: 'authorities',
  settings: { MAX_BODY_BYTES: 1_048_576, PUBLIC_URL: 'https://perdure.example.com' },
  extraEnvironment: { HTTPS_PROXY: 'http://proxy:3128' },
  api: { autoscaling: { enabled: true }, settings: { LOG_LEVEL: 'debug' } },
  worker: { autoscaling: { enabled: true }, tolerations: [{ key: 'work', operator: 'Exists' }] },
  ingress: { enabled: true, hosts: [{ host: 'perdure.example.com' }], className: 'nginx' },
  networkPolicy: { callers: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }] },
  metrics: { podMonitor: { enabled: true }, rules: { enabled: true }, dashboards: { enabled: true } },
};

test('the chart has the names of all settings (npm run settings)', () => {
  expect(readFileSync(CHART_SETTINGS, 'utf8')).toBe(settingNames());
});

whole('helm lint reports nothing', async () => {
  const { stdout } = await run(helm, ['lint', CHART, '--strict']);
  expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
});

whole.each([
  ['as it comes', {}],
  ['with everything', EVERYTHING],
])("the resources are valid by Kubernetes' own schemas: %s", async (_, values) => {
  await expectValid(resourcesOf(await rendered(values)));
});

whole('every pod is nobody, may write to /tmp alone, has no privilege, no token, and bounds', async () => {
  const pods = podsOf(resourcesOf(await rendered(EVERYTHING)));
  expect([...pods.keys()].sort()).toEqual(['api', 'migrate', 'ready', 'worker']);
  for (const [name, pod] of pods) {
    expectAbout(pod, name).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expectAbout(pod.containers, name).toHaveLength(1);
    const [container] = pod.containers as [Container];
    expectAbout(container.securityContext, name).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expectAbout(container.resources?.limits?.memory, name).toMatch(/Gi$/);
    for (const { name: volume } of container.volumeMounts) {
      expectAbout(
        pod.volumes.map((each) => each.name),
        name,
      ).toContain(volume);
    }
  }
});

whole('on OpenShift, where namespaces have their own user ids, no pod names one', async () => {
  const resources = resourcesOf(await rendered({ ...EVERYTHING, userOfNamespace: true }));
  await expectValid(resources);
  for (const [name, { securityContext }] of podsOf(resources)) {
    expectAbout(securityContext, name).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  }
  // Otherwise the image's user applies, and a kubelet rejects one that is not a number.
  expect(stageOf()).toContainEqual(['USER', expect.stringMatching(/^[1-9]\d*$/)]);
});

whole('the alert about an unresponsive process uses the scrape job of the operator', async () => {
  const resources = resourcesOf(await rendered(EVERYTHING));
  const monitor = resources.find(({ kind }) => kind === 'PodMonitor');
  const alerts = readFileSync(join(PROJECT_ROOT, 'deploy/prometheus/alerts.yml'), 'utf8');
  const [, jobs = ''] = /expr: up\{job=~"([^"]+)"\}/.exec(alerts) ?? [];
  // Without a jobLabel it is `<namespace>/<name>`.
  const pod = resources.find(({ kind }) => kind === 'Deployment')?.spec.template.metadata.labels;
  expect(pod?.[monitor?.spec.jobLabel ?? '']).toMatch(new RegExp(`^(?:${jobs})$`));
});

whole('config.ts knows each setting and accepts its value, and only the API signs tokens', async () => {
  const pods = podsOf(resourcesOf(await rendered(EVERYTHING)));
  const secrets = { DATABASE_URL: 'postgresql://db/perdure', ENCRYPTION_KEY: 'k1:a2V5', TOKEN_SECRET: 't'.repeat(32) };
  for (const name of ['api', 'worker', 'migrate']) {
    const env = pods.get(name)?.containers[0]?.env ?? [];
    expectAbout(new Set(env.map((each) => each.name)).size, name).toBe(env.length);
    const values = Object.fromEntries(
      env.map(({ name: key, value, valueFrom }) => {
        expectAbout(valueFrom?.secretKeyRef.name ?? 'perdure', key).toBe('perdure');
        return [key, value ?? secrets[valueFrom?.secretKeyRef.key as keyof typeof secrets]];
      }),
    );
    expectAbout(SETTINGS.safeParse(values).error?.issues ?? [], name).toEqual([]);
    // The image sets it for all processes.
    expect(() => readServiceConfig({ HOST: '0.0.0.0', ...values })).not.toThrow();
    expectAbout('TOKEN_SECRET' in values, name).toBe(name === 'api');
    expectAbout(values, name).toMatchObject({
      TEMPORAL_ADDRESS: 'frontend.example:7233',
      TEMPORAL_TLS_CLIENT_CERT_PATH: '/etc/perdure/temporal/tls.crt',
      HTTPS_PROXY: 'http://proxy:3128',
      MAX_BODY_BYTES: '1048576',
    });
    expectAbout(values.LOG_LEVEL, name).toBe(name === 'api' ? 'debug' : undefined);
  }
});

whole.each([
  ['a word', 'second', 'second-perdure'],
  ['with a dot', 'perdure.prod', 'perdure-prod'],
  ['a number', '9', 'perdure-9-perdure'],
  ['a boolean of YAML', 'true', 'true-perdure'],
  ['as long as Helm takes', 'a'.repeat(53), 'a'.repeat(50)],
])('accepts every name of a release that Helm allows: %s', async (_, release, name) => {
  const resources = resourcesOf(await rendered(EVERYTHING, release));
  const service = resources.find(({ kind }) => kind === 'Service');
  expect(service?.metadata.name).toBe(`${name}-api`);
  for (const { metadata, spec } of resources) {
    // Stricter than other labels: an API server requires this of a Service's name.
    expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
    const labels = [metadata.labels, spec?.template?.metadata.labels].flatMap((some) => Object.entries(some ?? {}));
    for (const [label, value] of labels) expectAbout(typeof value, label).toBe('string');
    expect(metadata.labels['app.kubernetes.io/instance']).toBe(release);
  }
});

whole('variables of a Service in the namespace do not count as settings', async () => {
  // Kubernetes sets variables for each Service in the namespace: POSTGRES_PORT=tcp://10.96.0.7:5432.
  const taken = Object.keys(SETTINGS.shape).filter((name) => /_PORT$|_SERVICE_HOST$/.test(name));
  expect(taken).toEqual(expect.arrayContaining(['POSTGRES_PORT', 'TEMPORAL_PORT']));
  for (const [name, pod] of podsOf(resourcesOf(await rendered({})))) {
    expectAbout(pod.enableServiceLinks, name).toBe(false);
  }
});

whole('limits that API processes share know how many there may be', async () => {
  for (const [values, expected] of [
    [{}, '2'],
    [{ api: { replicas: 5 } }, '5'],
    [{ api: { autoscaling: { enabled: true, maxReplicas: 9 } } }, '9'],
  ] as const) {
    const env = podsOf(resourcesOf(await rendered(values))).get('api')?.containers[0]?.env ?? [];
    expect(env.find(({ name }) => name === 'API_PROCESSES')?.value).toBe(expected);
  }
});

whole('the processes are those of docker-compose.yml, and Kubernetes waits until they have drained', async () => {
  const { services } = parseCompose(readComposeText());
  const pods = podsOf(resourcesOf(await rendered({})));
  for (const name of ['api', 'worker', 'migrate']) {
    const pod = pods.get(name) as PodSpec;
    expectAbout(pod.containers[0]?.command, name).toEqual(services[name]?.command);
    const drain = pod.containers[0]?.env?.find((each) => each.name === 'DRAIN_TIMEOUT_MS')?.value;
    if (drain === undefined) continue;
    expectAbout(pod.terminationGracePeriodSeconds, name).toBeGreaterThanOrEqual(Number(drain) / 1_000 + 10);
  }
});

whole('the migration ends before new processes begin', async () => {
  const resources = resourcesOf(await rendered({}));
  const hooks = resources.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']?.includes('pre-upgrade'));
  expect(hooks.map(({ kind }) => kind).sort()).toEqual(['Job', 'ServiceAccount']);
  const kinds = resourcesOf(await rendered({ migration: { enabled: false } })).map(({ kind }) => kind);
  expect(kinds).not.toContain('Job');
});

test('each documented command lets Helm wait longer than a migration may take', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/kubernetes.md'), 'utf8');
  const { migration } = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as {
    migration: Record<string, number>;
  };
  const commands = page.match(/^ *helm (?:install|upgrade) .*$/gm) ?? [];
  expect(commands).toHaveLength(3);
  for (const command of commands) {
    // Helm's default is five minutes.
    const minutes = Number(/ --timeout (\d+)m\b/.exec(command)?.[1] ?? 5);
    expectAbout(minutes * 60, command).toBeGreaterThan(migration.timeoutSeconds ?? 0);
  }
});

whole('alerts and dashboards are those of deploy/', async () => {
  const resources = resourcesOf(await rendered(EVERYTHING));
  const rules = resources.find(({ kind }) => kind === 'PrometheusRule');
  expect(rules?.spec).toEqual(parse(readFileSync(join(PROJECT_ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')));
  const boards = resources.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => Object.entries(data ?? {}));
  expect(boards.map(([file]) => file).sort()).toEqual([
    'agents.json',
    'engine.json',
    'overview.json',
    'queue.json',
    'workflow.json',
  ]);
  for (const [file, text] of boards) {
    expect(text).toBe(readFileSync(join(PROJECT_ROOT, 'deploy/grafana', file), 'utf8'));
  }
});

whole.each([
  ['a part that is not there', { wroker: {} }, 'Additional property wroker is not allowed'],
  ['no worker', { worker: { replicas: 0 } }, 'worker.replicas'],
  ['an address with a scheme', { temporal: { address: 'https://temporal:7233' } }, 'temporal.address'],
  ['no address of the API', { settings: { PUBLIC_URL: undefined } }, 'settings.PUBLIC_URL: required'],
  ['an unknown setting', { settings: { MAX_BDY_BYTES: 1 } }, 'settings.MAX_BDY_BYTES: no such setting'],
  ['a secret among the settings', { settings: { TOKEN_SECRET: 'x' } }, 'settings'],
  ['no key for secrets', { secret: { keys: ['DATABASE_URL'] } }, 'secret.keys'],
  ['two disruption budgets', { api: { disruptionBudget: { minAvailable: 1, maxUnavailable: 1 } } }, 'disruptionBudget'],
])('values are refused with their place: %s', async (_, values, expected) => {
  await expect(rendered(values)).rejects.toThrow(expected);
});

whole(
  'links begin with PUBLIC_URL, which every process has; by default with the first host of the ingress',
  async () => {
    const hosts = [{ host: 'a.example' }, { host: 'b.example' }];
    const tls = [{ secretName: 'a-tls', hosts: ['a.example'] }];
    for (const [settings, ingress, expected] of [
      [{}, {}, 'https://perdure.example.com'],
      [{ PUBLIC_URL: 'https://b.example' }, { enabled: true, hosts, tls }, 'https://b.example'],
      [{ PUBLIC_URL: undefined }, { enabled: true, hosts, tls }, 'https://a.example'],
      [{ PUBLIC_URL: undefined }, { enabled: true, hosts }, 'http://a.example'],
    ] as const) {
      const pods = podsOf(resourcesOf(await rendered({ settings, ingress })));
      for (const name of ['api', 'worker']) {
        const env = pods.get(name)?.containers[0]?.env ?? [];
        expectAbout(env.find((each) => each.name === 'PUBLIC_URL')?.value, name).toBe(expected);
      }
    }
  },
);
