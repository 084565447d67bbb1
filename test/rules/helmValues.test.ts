import { expect } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { expectValid, podsOf, type Resource, rendered, resourcesOf, whole } from './renderedChart.ts';

// Requirements of other clusters for pods: placement, sidecars, service accounts.

const PLACED = {
  podLabels: { team: 'automation' },
  podAnnotations: { 'sidecar.istio.io/inject': 'false' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'work', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  priorityClassName: 'high',
  extraVolumes: [{ name: 'authorities', configMap: { name: 'authorities' } }],
  extraVolumeMounts: [{ name: 'authorities', mountPath: '/authorities', readOnly: true }],
  initContainers: [{ name: 'database-proxy', image: 'proxy:1', restartPolicy: 'Always' }],
};
const SERVED = {
  ...PLACED,
  deploymentAnnotations: { 'reloader.stakater.com/auto': 'true' },
  extraContainers: [{ name: 'log-shipper', image: 'shipper:1' }],
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
  ],
  autoscaling: { enabled: true, behavior: { scaleUp: { stabilizationWindowSeconds: 5 } } },
};
const VALUES = {
  image: { pullSecrets: ['registry'] },
  secret: { checksum: '5f4c' },
  api: SERVED,
  worker: SERVED,
  migration: PLACED,
  ingress: {
    enabled: true,
    hosts: [{ host: 'perdure.example.com' }, { host: 'hooks.example.com', paths: [{ path: '/api/webhooks' }] }],
    tls: [
      { secretName: 'perdure-tls', hosts: ['perdure.example.com'] },
      { secretName: 'hooks-tls', hosts: ['hooks.example.com'] },
    ],
  },
  serviceAccount: { name: 'automation', annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/perdure' } },
};

whole('resources with all of it are valid', async () => {
  await expectValid(resourcesOf(await rendered(VALUES)));
});

whole('pods have the given placement, volumes, containers, labels and annotations', async () => {
  const resources = resourcesOf(await rendered(VALUES));
  for (const [name, pod] of podsOf(resources)) {
    expectAbout(pod, name).toMatchObject({
      nodeSelector: PLACED.nodeSelector,
      tolerations: PLACED.tolerations,
      affinity: PLACED.affinity,
      priorityClassName: 'high',
      serviceAccountName: 'automation',
      imagePullSecrets: [{ name: 'registry' }],
    });
    if (name === 'ready') continue;
    expectAbout(pod.initContainers, name).toEqual(PLACED.initContainers);
    expectAbout(pod.volumes, name).toEqual(expect.arrayContaining(PLACED.extraVolumes));
    expectAbout(pod.containers[0]?.volumeMounts, name).toEqual(expect.arrayContaining(PLACED.extraVolumeMounts));
    // A Job would wait for a sidecar forever.
    const beside = name === 'migrate' ? [] : SERVED.extraContainers;
    expectAbout(pod.containers.slice(1), name).toEqual(beside);
  }
  const owners = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
  expect(owners).toHaveLength(3);
  for (const { kind, metadata, spec } of owners) {
    expectAbout(spec.template.metadata, metadata.name).toMatchObject({
      labels: { 'app.kubernetes.io/name': 'perdure', team: 'automation' },
      annotations: { ...PLACED.podAnnotations, 'checksum/secret': '5f4c' },
    });
    if (kind === 'Deployment') expect(metadata.annotations).toEqual(SERVED.deploymentAnnotations);
  }
});

whole(
  'pods are spread over nodes by default or as configured; each constraint counts the pods of its part',
  async () => {
    for (const [values, key] of [
      [{}, 'kubernetes.io/hostname'],
      [VALUES, 'topology.kubernetes.io/zone'],
    ] as const) {
      const pods = podsOf(resourcesOf(await rendered(values)));
      for (const part of ['api', 'worker']) {
        expectAbout(pods.get(part)?.topologySpreadConstraints, part).toEqual([
          expect.objectContaining({
            topologyKey: key,
            labelSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': part }) },
          }),
        ]);
      }
    }
    const own = { matchLabels: { of: 'mine' } };
    const constraint = { ...SERVED.topologySpreadConstraints[0], labelSelector: own };
    const pods = podsOf(resourcesOf(await rendered({ api: { topologySpreadConstraints: [constraint] } })));
    expect(pods.get('api')?.topologySpreadConstraints).toEqual([constraint]);
  },
);

whole('an autoscaler scales down slowly, and accepts other settings of its behavior', async () => {
  const scalers = resourcesOf(await rendered(VALUES)).filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  expect(scalers.map(({ spec }) => spec.behavior)).toEqual(
    scalers.map(() => ({ scaleUp: { stabilizationWindowSeconds: 5 }, scaleDown: { stabilizationWindowSeconds: 600 } })),
  );
  expect(scalers).toHaveLength(2);
});

whole('an ingress has each of its hosts and certificates', async () => {
  const { spec } = resourcesOf(await rendered(VALUES)).find(({ kind }) => kind === 'Ingress') as Resource;
  const backend = { service: { name: 'perdure-api', port: { name: 'http' } } };
  expect(spec).toEqual({
    tls: VALUES.ingress.tls,
    rules: [
      { host: 'perdure.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } },
      { host: 'hooks.example.com', http: { paths: [{ path: '/api/webhooks', pathType: 'Prefix', backend }] } },
    ],
  });
});

whole.each([
  ['as it comes', {}, 'perdure', 'perdure'],
  ['of a name', { name: 'mine' }, 'mine', 'mine'],
  ['there already', { create: false, name: 'theirs' }, 'theirs', undefined],
  ['none', { create: false }, 'default', undefined],
])('the account that pods run under: %s', async (_, serviceAccount, used, made) => {
  const resources = resourcesOf(await rendered({ serviceAccount }));
  for (const [name, pod] of podsOf(resources)) expectAbout(pod.serviceAccountName, name).toBe(used);
  expect(resources.find(({ kind }) => kind === 'ServiceAccount')?.metadata.name).toBe(made);
});

whole('the account belongs to the release; the earlier migration has a temporary one', async () => {
  const accounts = resourcesOf(await rendered(VALUES)).filter(({ kind }) => kind === 'ServiceAccount');
  expect(accounts.map(({ metadata }) => metadata.name)).toEqual(['automation', 'automation']);
  const [own, hook] = accounts.map(({ metadata }) => metadata.annotations);
  expect(own).toEqual(VALUES.serviceAccount.annotations);
  expect(hook).toMatchObject({
    ...VALUES.serviceAccount.annotations,
    'helm.sh/hook': 'pre-install,pre-upgrade',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  });
  const without = resourcesOf(await rendered({ migration: { enabled: false } }));
  expect(without.filter(({ kind }) => kind === 'ServiceAccount')).toHaveLength(1);
});

whole.each([
  ['an ingress without a name', { ingress: { enabled: true } }, 'ingress.hosts: expected the names'],
  ['a host by its name alone', { ingress: { enabled: true, hosts: ['a.example'] } }, 'ingress.hosts.0'],
  ['a label that selectors have', { api: { podLabels: { 'app.kubernetes.io/name': 'x' } } }, 'api.podLabels'],
  ['a volume of ours', { worker: { extraVolumes: [{ name: 'tmp', emptyDir: {} }] } }, 'worker.extraVolumes.0.name'],
  ['a mount without a path', { api: { extraVolumeMounts: [{ name: 'x' }] } }, 'api.extraVolumeMounts.0'],
  ['a container named as ours', { api: { extraContainers: [{ name: 'api', image: 'x' }] } }, 'api.extraContainers.0'],
  ['a sidecar of the migration', { migration: { extraContainers: [] } }, 'extraContainers is not allowed'],
])('values are refused with their place: %s', async (_, values, expected) => {
  await expect(rendered(values)).rejects.toThrow(expected);
});
