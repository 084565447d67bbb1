import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { type RunnerCall, type RunnerEnd, RunnerPool } from './runnerPool.ts';

let pool: RunnerPool;

beforeAll(() => {
  pool = new RunnerPool({
    ...{ memoryMb: 128, maxOutputBytes: 100_000, maxConsoleBytes: 1_000, maxProcesses: 4 },
    dialOf: () => () => Promise.reject(new Error('no network')),
  });
});
afterAll(() => pool.close());

const CODE = `
  let count = 0;
  exports.run = async (act, value, signal) => {
    count += 1;
    if (act === 'count') return count;
    if (act === 'pid') return process.pid;
    if (act === 'say') { console.log('a', { b: value }); process.stdout.write('out\\n'); console.error('c'); return null; }
    if (act === 'flood') { for (let i = 0; i < 5000; i++) console.log('line', i); return null; }
    if (act === 'wait') return await new Promise((done) => setTimeout(() => done(value), 400));
    if (act === 'heed') return await new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('heeded'))));
    if (act === 'hang') for (;;);
    if (act === 'pollute') { Object.prototype.polluted = true; return null; }
    if (act === 'polluted') return {}.polluted ?? null;
    if (act === 'throw') throw Object.assign(new Error('no stock'), value);
  };`;

const none = () => new AbortController().signal;
const run = (act: string, value: unknown = null, more: Partial<RunnerCall> & { app?: string; code?: string } = {}) =>
  pool.run(
    {
      ...{ workspaceId: 'w', digest: more.app ?? 'a', file: 'functions/shop.js' },
      read: async () => more.code ?? CODE,
    },
    { member: 'run', parameters: [act, value], signal: none(), isRepeatable: false, ...more },
  );
const output = (end: RunnerEnd) => (end.kind === 'returned' ? JSON.parse(end.output) : end);

it('keeps the process of an app warm; apps and workspaces share none', async () => {
  expect(output(await run('count'))).toBe(1);
  expect(output(await run('count'))).toBe(2);
  const [one, other] = [output(await run('pid')), output(await run('pid', null, { app: 'b' }))];
  expect(one).not.toBe(other);
  expect(await pool.pids()).toEqual(expect.arrayContaining([one, other]));
});

it('shows what the code writes, up to a limit', async () => {
  const said = await run('say', 1);
  expect(said).toMatchObject({
    console: [
      { level: 'log', text: 'a { b: 1 }' },
      { level: 'log', text: 'out' },
      { level: 'error', text: 'c' },
    ],
  });
  const { console: lines = [] } = (await run('flood')) as { console?: { text: string }[] };
  expect(lines.length).toBeLessThan(200);
  expect(lines.at(-1)?.text).toBe('The console is full: later lines are dropped.');
});

it('passes on code, retryable, retryAfterMs and details of a thrown error', async () => {
  const error = { code: 'NO_STOCK', retryable: true, retryAfterMs: 500, details: { sku: 'x' } };
  expect(await run('throw', error)).toMatchObject({
    kind: 'threw',
    error: {
      ...error,
      message: expect.stringMatching(/^no stock \(functions\/shop\.js:\d+:\d+\)$/),
      details: '{"sku":"x"}',
    },
  });
});

it('reports code that cannot be loaded, each time', async () => {
  for (const _ of [1, 2]) {
    expect(await run('x', null, { app: 'broken', code: 'throw new Error("no key")' })).toEqual({
      kind: 'notLoaded',
      message: expect.stringContaining('no key'),
    });
  }
});

it('a cancelled call that heeds its signal ends alone', async () => {
  const pid = output(await run('pid'));
  const waiting = run('wait', 7);
  expect(await run('heed', null, { signal: AbortSignal.timeout(50) })).toMatchObject({ kind: 'threw' });
  expect(output(await waiting)).toBe(7);
  expect(output(await run('pid'))).toBe(pid);
});

it('a cancelled call that hangs is killed within a second; a repeatable call next to it runs again', async () => {
  const waiting = run('wait', 8, { isRepeatable: true });
  const lost = run('wait', 9);
  const startedAt = Date.now();
  expect(await run('hang', null, { signal: AbortSignal.timeout(50) })).toMatchObject({ kind: 'lost' });
  expect(Date.now() - startedAt).toBeLessThan(1_000);
  expect(await lost).toMatchObject({ kind: 'lost', reason: 'stopped' });
  expect(output(await waiting)).toBe(8);
});

it('a killed process is replaced by the next call', async () => {
  const pid = output(await run('pid', null, { app: 'c' })) as number;
  const waiting = run('wait', 1, { app: 'c' });
  process.kill(pid, 'SIGKILL');
  expect(await waiting).toMatchObject({ kind: 'lost', reason: 'ended' });
  expect(output(await run('count', null, { app: 'c' }))).toBe(1);
});

it('a polluted prototype stays in its app', async () => {
  await run('pollute', null, { app: 'd' });
  expect(output(await run('polluted', null, { app: 'd' }))).toBe(true);
  expect(output(await run('polluted', null, { app: 'e' }))).toBeNull();
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
});

it('ends the longest idle process of a workspace that uses half of the places', async () => {
  const first = output(await run('pid', null, { app: 'f' }));
  await run('pid', null, { app: 'g' });
  await run('pid', null, { app: 'h' });
  expect(await pool.pids()).not.toContain(first);
  const busy = ['g', 'h'].map((app) => run('wait', 1, { app }));
  expect(await run('pid', null, { app: 'i' })).toEqual({ kind: 'busy' });
  await Promise.all(busy);
});

it('old processes that still run calls count as processes', async () => {
  await Promise.all(['j', 'k'].map((app) => run('pid', null, { app })));
  const busy = ['j', 'k'].map((app) => run('wait', 1, { app }));
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  try {
    expect(await run('pid', null, { app: 'j' })).toEqual({ kind: 'busy' });
  } finally {
    now.mockRestore();
  }
  expect(await Promise.all(busy)).toMatchObject([{ kind: 'returned' }, { kind: 'returned' }]);
});

it('reports code that needs too much memory while it is loaded', async () => {
  const code = 'const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1));';
  expect(await run('x', null, { app: 'l', code })).toEqual({
    kind: 'notLoaded',
    message: 'it needs more than 128 MiB of memory',
  });
});

it('a cancelled call ends while its code is loaded', async () => {
  const startedAt = Date.now();
  const end = await run('x', null, { app: 'm', code: 'for (;;);', signal: AbortSignal.timeout(1_000) });
  expect(end).toMatchObject({ kind: 'lost', reason: 'stopped' });
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  expect(await run('x', null, { app: 'm', code: 'exports.run = () => 1;' })).toMatchObject({ kind: 'returned' });
});

it('refuses inputs that are too large for a message', async () => {
  expect(await run('count', 'x'.repeat(17_000_000), { app: 'n' })).toMatchObject({ kind: 'threw' });
  expect(output(await run('count', null, { app: 'n' }))).toBe(1);
});
