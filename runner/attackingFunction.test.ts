import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildGuardedDial } from '../activities/apps/guard/guardedDial.ts';
import { compiledBeside } from '../projectRoot.ts';
import { ATTACKS, type Attack } from '../test/setup/runner/attacks.ts';
import { type RunnerEnd, RunnerPool } from './runnerPool.ts';

const CANCEL_AFTER_MS = 200;
const unixSocket = join(tmpdir(), `perdure-attack-${process.pid}.sock`);
const folder = dirname(compiledBeside(import.meta.url, 'fence/main.js'));
const printed: string[] = [];
let reached = 0;
let pool: RunnerPool;
const servers: Server[] = [];
const inputs: Record<string, unknown> = { folder, unixSocket };

/** All names are this machine. */
const lookup: LookupFunction = (_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]);

async function serve(): Promise<number> {
  const server = createServer((request, response) => {
    if (request.url === '/to-loopback') {
      response.writeHead(302, { location: `http://127.0.0.1:${request.socket.localPort}/` }).end();
      return;
    }
    if (request.url !== '/allowed') reached += 1;
    response.end('reached');
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  inputs.port = await serve();
  inputs.otherPort = await serve();
  const unix = createNetServer(() => {
    reached += 1;
  });
  servers.push(unix as Server);
  await new Promise<void>((done) => unix.listen(unixSocket, done));
  const dial = buildGuardedDial({ allowedPrivateHosts: [`shop.example:${inputs.port}`], lookup });
  pool = new RunnerPool({
    ...{ memoryMb: 128, maxOutputBytes: 5_000_000, maxConsoleBytes: 10_000, maxProcesses: 4 },
    dialOf: () => dial,
  });
});

afterAll(async () => {
  await pool.close();
  for (const server of servers) server.close();
  // The one table that shows what was tried.
  process.stderr.write(`\n${printed.join('\n')}\n`);
});

const all = Object.values(ATTACKS).flat();
const bundle = `const attacks = {
  ${all.map(({ name, code }) => `${JSON.stringify(name)}: async (inputs) => { ${code}\n}`).join(',\n')}
};
exports.run = (name, inputs) => attacks[name](inputs);`;

function attack({ name, endless }: Attack): Promise<RunnerEnd> {
  const signal = endless ? AbortSignal.timeout(CANCEL_AFTER_MS) : new AbortController().signal;
  return pool.run(
    { workspaceId: 'w', digest: 'attacks', file: 'functions/attack.js', read: async () => bundle },
    { member: 'run', parameters: [name, inputs], signal, isRepeatable: false },
  );
}

function shown(end: RunnerEnd): string {
  if (end.kind === 'returned') return end.output === 'null' ? 'got nothing' : `ESCAPED: ${end.output.slice(0, 80)}`;
  if (end.kind === 'threw') return end.error.message.split('\n')[0] ?? '';
  return end.kind === 'lost' ? `process killed (${end.reason})` : end.kind;
}

for (const [group, attacks] of Object.entries(ATTACKS)) {
  it(`stops attacks on ${group}`, async () => {
    const outcomes: string[] = [];
    for (const each of attacks) {
      const startedAt = Date.now();
      const outcome = shown(await attack(each));
      const tookMs = Date.now() - startedAt;
      printed.push(`${group.padEnd(24)}  ${each.name.padEnd(44)}  ${outcome}`);
      outcomes.push(`${each.name}: ${outcome}`);
      if (each.endless) expect(outcome).toBe('process killed (stopped)');
      // The start of a process included.
      if (each.endless) expect(tookMs).toBeLessThan(5_000);
    }
    expect(outcomes.filter((each) => /ESCAPED|notLoaded|busy/.test(each))).toEqual([]);
    expect(reached).toBe(0);
  }, 120_000);
}
