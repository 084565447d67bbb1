import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { inject } from '../setup/stack/inject.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { parseCompose, readComposeText } from './composeFile.ts';
import { CAN_CONFINE, CONTAINER_USERS } from './confinement.ts';

// All tests of the room run in processes confined like containers: a read-only image, and /tmp. This file checks the
// confinement itself and the limit of memory.

const { main } = inject('production');
const image = dirname(dirname(dirname(main.api)));
const whole = CAN_CONFINE ? test : test.skip;

async function pidsOf(path: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,comm=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, command, args = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return command !== 'sh' && args.endsWith(path) ? [Number(pid)] : [];
  });
}

async function statusOf(pid: number, name: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return new RegExp(`^${name}:(.*)$`, 'm').exec(text)?.[1]?.trim().split(/\s+/) ?? [];
}

/** Mount options that the process sees, of the last of several mounts. */
async function mountOf(pid: number, place: string): Promise<string[]> {
  const lines = (await readFile(`/proc/${pid}/mountinfo`, 'utf8')).split('\n').map((line) => line.split(' '));
  return lines.findLast(([, , , , at]) => at === place)?.[5]?.split(',') ?? [];
}

whole(
  'API and worker run as the user of the image and as any user of the group 0, and may write to /tmp alone',
  async () => {
    for (const path of Object.values(main)) {
      const pids = await pidsOf(path);
      const users: string[] = [];
      for (const pid of pids) {
        users.push(`${(await statusOf(pid, 'Uid'))[0]}:${(await statusOf(pid, 'Gid'))[0]}`);
        expectAbout(await statusOf(pid, 'Groups'), path).toEqual(['']);
        for (const kind of ['CapEff', 'CapPrm', 'CapBnd']) {
          expectAbout(BigInt(`0x${(await statusOf(pid, kind))[0]}`), `${path} ${kind}`).toBe(0n);
        }
        expectAbout(await statusOf(pid, 'NoNewPrivs'), path).toEqual(['1']);
        expectAbout(await mountOf(pid, '/'), path).toContain('ro');
        expectAbout(await mountOf(pid, image), path).toContain('ro');
        expectAbout(await mountOf(pid, '/tmp'), path).toEqual(
          expect.arrayContaining(['rw', 'noexec', 'nosuid', 'nodev']),
        );
      }
      expect(users.sort()).toEqual(CONTAINER_USERS.map(({ user, group }) => `${user}:${group}`).sort());
    }
  },
);

whole('code and many executions keep each process within half of its bound of memory', async () => {
  const home = await makeHome();
  const code = 'return Array.from({ length: 1000 }, (_, index) => index * 2).length';
  const workflowId = await home.deploy({
    nodes: [
      action('a', 'code.javascript', { code }),
      action('b', 'core.set', { values: { n: '{{ steps.a.output }}' } }),
    ],
    edges: chain('a', 'b'),
  });
  const started = await Promise.all(Array.from({ length: 100 }, () => home.execute(workflowId)));
  const ended = await Promise.all(started.map((id) => home.ended(id)));
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['COMPLETED']));
  const { services } = parseCompose(readComposeText());
  for (const [name, path] of Object.entries(main)) {
    const [, gigabytes] = /^(\d+)g$/.exec(services[name]?.mem_limit ?? '') ?? [];
    for (const pid of await pidsOf(path)) {
      const peakMb = Number((await statusOf(pid, 'VmHWM'))[0]) / 1_024;
      console.log(`${name}: at most ${peakMb.toFixed(0)} MB`);
      expectAbout(peakMb, name).toBeLessThan((Number(gigabytes) * 1_024) / 2);
    }
  }
});
