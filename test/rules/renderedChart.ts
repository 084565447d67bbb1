import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments, stringify } from 'yaml';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { NO_PYTHON, pythonWith } from '../clients/pythonEnvironment.ts';
import { expectAbout } from '../setup/jest/expectAbout.ts';

export const run = promisify(execFile);
export const CHART = join(PROJECT_ROOT, 'deploy/helm');
/** The oldest version that the chart supports, and the newest with schemas in the package. */
const KUBERNETES = ['1.30', '1.37'];

export interface Container {
  name: string;
  image: string;
  command: string[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[];
  securityContext: object;
  resources?: { requests?: object; limits?: { memory?: string } };
  volumeMounts: { name: string }[];
  livenessProbe?: { httpGet: { path: string; port: string } };
  ports?: { name: string; containerPort: number }[];
}

export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  serviceAccountName: string;
  priorityClassName?: string;
  nodeSelector?: Record<string, string>;
  tolerations?: object[];
  affinity?: object;
  topologySpreadConstraints?: object[];
  imagePullSecrets?: object[];
  securityContext?: object;
  enableServiceLinks?: boolean;
  volumes: { name: string; secret?: { secretName: string } }[];
  terminationGracePeriodSeconds?: number;
}

interface Metadata {
  name: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface Resource {
  kind: string;
  metadata: Metadata;
  spec: PodSpec & {
    template: { metadata: Metadata; spec: PodSpec };
    replicas?: number;
    groups?: object[];
    metrics?: object[];
    behavior?: object;
    rules?: object[];
    tls?: object[];
    jobLabel?: string;
  };
  data?: Record<string, string>;
}

let folder: string;
export let helm: string;

// Fetched once per machine.
export const whole = NO_PYTHON === undefined ? test : test.skip;

beforeAll(async () => {
  if (NO_PYTHON !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'perdure-helm-'));
  helm = join(dirname(await pythonWith('helm-binary==3.17.3.post1')), 'helm');
});

afterAll(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const texts = new Map<string, Promise<string>>();

/** The chart requires these. */
const REQUIRED = { PUBLIC_URL: 'https://perdure.example.com' };

/** The resources of `helm template` with REQUIRED. Rejects with Helm's message. */
export function rendered(values: { settings?: object; [name: string]: unknown }, release = 'perdure'): Promise<string> {
  const text = stringify({ ...values, settings: { ...REQUIRED, ...values.settings } });
  const key = `${release}\n${text}`;
  if (!texts.has(key)) texts.set(key, render(release, text));
  return texts.get(key) as Promise<string>;
}

async function render(release: string, values: string): Promise<string> {
  const file = join(await mkdtemp(join(folder, 'values-')), 'values.yaml');
  await writeFile(file, values);
  const { stdout } = await run(helm, ['template', release, CHART, '--values', file], { maxBuffer: 20_000_000 });
  return stdout;
}

export const resourcesOf = (text: string) =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);

/** By the name of the first container: api, worker, migrate, ready. */
export function podsOf(resources: Resource[]): Map<string, PodSpec> {
  const pods = resources.flatMap(({ kind, spec }) => {
    if (kind === 'Pod') return [spec];
    return kind === 'Deployment' || kind === 'Job' ? [spec.template.spec] : [];
  });
  return new Map(pods.map((pod) => [(pod.containers[0] as Container).name, pod]));
}

/** Checks the schemas of Kubernetes, which do not cover resources of operators. */
export async function expectValid(resources: Resource[]): Promise<void> {
  const python = await pythonWith('kubernetes-validate==1.37.0');
  const known = resources.filter(({ kind }) => kind !== 'PodMonitor' && kind !== 'PrometheusRule');
  const validated = async (some: object[], version: string) => {
    const file = join(await mkdtemp(join(folder, 'resources-')), 'resources.yaml');
    await writeFile(file, some.map((resource) => `---\n${stringify(resource)}`).join(''));
    return await run(python, ['-m', 'kubernetes_validate', '--strict', '-k', version, file]);
  };
  for (const version of KUBERNETES) {
    const { stderr, stdout } = await validated(known, version);
    expectAbout(`${stdout}${stderr}`.match(/ passed /g) ?? [], version).toHaveLength(known.length);
  }
  // Proves that the check finds errors.
  const deployment = known.find(({ kind }) => kind === 'Deployment') as Resource;
  const wrong = { ...deployment, spec: { ...deployment.spec, replcas: 2 } };
  await expect(validated([wrong], KUBERNETES[0] as string)).rejects.toThrow();
}
