import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { action, chain, type Graph } from '../setup/workspace/graph.ts';
import { type Home, homeOf } from '../setup/workspace/home.ts';
import { type ComposeProject, composeProject } from './composeProject.ts';

// npm run test:compose: the images, and docker-compose.yml, on a container engine. npm run test:production needs none.

/** Includes building and pulling all images. */
const UP_MS = 1_500_000;
/** Needs the images on this machine. */
const STEP_MS = 240_000;
/** COMPOSE_BUILT=1: all images exist on this machine. */
const IMAGES = process.env.COMPOSE_BUILT ? ['--no-build', '--pull', 'never'] : ['--build'];
const OURS = ['api', 'worker'];
const BOUND = 2 * 1024 ** 3;

let project: ComposeProject;
let home: Home;

const inside = (service: string, ...command: string[]) => project.compose('exec', '-T', service, ...command);
const admin = (...args: string[]) => inside('api', 'node', 'dist/api/admin/main.js', ...args);

async function up(): Promise<void> {
  await project.compose('up', '--detach', ...IMAGES);
  const isReady = () =>
    fetch(new URL('/readyz', project.url)).then(
      ({ status }) => status,
      () => 'nothing listens',
    );
  await poll(isReady, { timeout: STEP_MS, interval: 500 }).toBe(200);
}

beforeAll(async () => {
  project = await composeProject();
  await up();
  const made = JSON.parse(await admin('workspace', 'create', '--name', 'Acme', '--email', 'owner@example.com'));
  home = homeOf({ ...made, url: () => project.url });
}, UP_MS);

afterAll(() => project.end(), STEP_MS);

const ASKS: Graph = {
  nodes: [
    {
      ...{ id: 'ask', type: 'input', name: 'Ask' },
      inputs: { submitters: 'members', fields: [{ key: 'amount', label: 'Amount', type: 'number', required: true }] },
    },
    action('sum', 'core.set', { values: { twice: '{{ steps.ask.output.amount * 2 }}' } }),
  ],
  edges: chain('ask', 'sum'),
};

async function asking(): Promise<string> {
  const id = await home.execute(await home.deploy(ASKS));
  await home.asked(id, 'ask');
  return id;
}

async function answered(id: string): Promise<void> {
  const { status, body } = await home.submit(id, 'ask', { amount: 21 }, undefined, home.api);
  expectAbout(status, JSON.stringify(body)).toBe(200);
  expect(await home.ended(id)).toMatchObject({ status: 'COMPLETED', output: { twice: 42 } });
}

test('the console is served, and the doctor finds nothing wrong', async () => {
  const page = await fetch(new URL('/console/', project.url));
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  await admin('doctor');
});

test(
  'our containers run as nobody, write to /tmp alone, and have no privilege and a bound of memory',
  async () => {
    for (const service of OURS) {
      const look = [
        'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; touch /app/x /x /home/x 2>/dev/null && echo wrote',
        'touch /tmp/x && echo temporary; cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null',
        'echo "$(cat /proc/1/comm)"',
      ].join('; ');
      const lines = (await inside(service, 'sh', '-c', look)).trim().split(/\s*\n/);
      expectAbout(lines.slice(0, -1), service).toEqual([
        '1000',
        'CapEff:\t0000000000000000',
        'CapBnd:\t0000000000000000',
        'NoNewPrivs:\t1',
        'temporary',
        String(BOUND),
      ]);
      // The first process must reap children and forward signals, which Node does not.
      expectAbout(lines.at(-1), service).not.toBe('node');
    }
  },
  STEP_MS,
);

test(
  'an execution survives kill -9 of all our processes',
  async () => {
    const id = await asking();
    await project.compose('kill', '--signal', 'KILL', ...OURS);
    await up();
    await answered(id);
  },
  STEP_MS,
);

test(
  'continues after a stop and start of everything, with Postgres and Temporal',
  async () => {
    const id = await asking();
    await project.compose('stop');
    // Our services ended by themselves in time.
    const states: { Service: string; ExitCode: number }[] = JSON.parse(
      `[${(await project.compose('ps', '--all', '--format', 'json')).trim().split('\n').join(',')}]`,
    );
    const ended = states.filter(({ Service }) => OURS.includes(Service));
    expect(ended.map(({ ExitCode }) => ExitCode)).toEqual(ended.map(() => 0));
    expect(ended.length).toBeGreaterThanOrEqual(OURS.length);
    await up();
    await answered(id);
  },
  STEP_MS,
);

test(
  'a backup by the service `save`, restored into an empty volume as docs/backup.md says, holds what waited',
  async () => {
    const id = await asking();
    const backups = join(project.folder, 'backups');
    await mkdir(backups);
    const save = (...args: string[]) => {
      const built = process.env.COMPOSE_BUILT ? [] : ['--build'];
      const user = `${process.getuid?.()}:${process.getgid?.()}`;
      const mounted = `${backups}:/backups`;
      return project.compose('run', '--rm', ...built, '--user', user, '--volume', mounted, 'save', ...args);
    };
    await save('backup', '--to', '/backups/first');
    await project.compose('down', '--volumes', '--timeout', '30');
    await project.compose('up', '--detach', '--wait', 'postgres');
    for (const name of ['temporal', 'temporal_visibility'])
      await inside('postgres', 'createdb', '--username=perdure', name);
    await save('restore', '--from', '/backups/first', '--report', '/backups/may-repeat.jsonl');
    await up();
    await admin('doctor');
    await answered(id);
  },
  STEP_MS,
);
