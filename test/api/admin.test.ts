// test: long
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
}

function admin(...args: string[]): Promise<Run> {
  const main = join(PROJECT_ROOT, 'dist/api/admin/main.js');
  const env = { ...process.env, DATABASE_URL: '', PUBLIC_URL: '', PERDURE_DATA_DIR: inject('stack').dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

async function answerOf(...args: string[]) {
  const { exitCode, stdout, stderr } = await admin(...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Each command is a process of its own, which loads the product. */
const COMMANDS_MS = 180_000;

test(
  'creates, uses and removes a workspace, its people and its keys',
  async () => {
    const email = `${randomUUID()}@example.com`;
    const made = await answerOf('workspace', 'create', '--name', 'Acme', '--email', email);
    expect(made).toEqual({
      url: inject('stack').url,
      temporalUiUrl: expect.stringMatching(/^http:/),
      apiKey: expect.stringMatching(/^pdr_[\w-]{40}$/),
      email,
      password: expect.any(String),
      workspaceId: expect.any(String),
      projectId: expect.any(String),
    });
    const me = await call('GET', '/api/users/me', { key: made.apiKey });
    expect(me.body.workspace).toEqual({ id: made.workspaceId, name: 'Acme' });

    const workspace = ['--workspace', made.workspaceId];
    const bea = `${randomUUID()}@example.com`;
    const user = await answerOf('user', 'create', ...workspace, '--email', bea, '--name', 'Bea', '--role', 'builder');
    const login = await call('POST', '/api/auth/login', { body: { email: bea, password: user.password } });
    const person = await call('GET', '/api/users/me', { token: login.body.access_token });
    expect(person.body).toMatchObject({ name: 'Bea', role: 'builder', workspace: { id: made.workspaceId } });

    const given = await answerOf('user', 'set-password', '--email', bea.toUpperCase());
    expect(given).toEqual({ userId: user.userId, email: bea, password: expect.any(String) });
    expect((await call('GET', '/api/users/me', { token: login.body.access_token })).status).toBe(401);
    const again = await call('POST', '/api/auth/login', { body: { email: bea, password: given.password } });
    expect(again.status).toBe(200);
    await stackDatabase().secondFactor.create({
      data: { userId: user.userId, secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() },
    });
    const reset = () => answerOf('user', 'reset-2fa', '--email', bea);
    expect([(await reset()).removed, (await reset()).removed]).toEqual([true, false]);
    expect((await admin('user', 'reset-2fa', '--email', 'nobody@example.com')).exitCode).toBe(2);
    const common = await admin('user', 'set-password', '--email', bea, '--password', 'Password123');
    expect([common.exitCode, common.stderr]).toEqual([
      2,
      expect.stringContaining(
        '--password: expected a password that is harder to guess. This is a commonly used password.',
      ),
    ]);
    const short = ['--name', 'B', '--email', `${randomUUID()}@example.com`, '--password', 'zk4 wq9 vm'];
    const owner = await admin('workspace', 'create', ...short);
    expect([owner.exitCode, owner.stderr]).toEqual([
      2,
      expect.stringContaining('--password: expected at least 12 characters'),
    ]);

    const permissions = ['--permissions', 'projects:read', '--expires', '2999-01-01T00:00:00Z'];
    const key = await answerOf('api-key', 'create', ...workspace, '--name', 'ci', ...permissions);
    expect((await call('GET', '/api/projects', { key: key.apiKey })).body).toHaveLength(1);
    expect((await call('GET', '/api/variables', { key: key.apiKey })).status).toBe(403);
    await answerOf('api-key', 'revoke', '--id', key.id);
    expect((await call('GET', '/api/projects', { key: key.apiKey })).status).toBe(401);
  },
  COMMANDS_MS,
);

test(
  'a person with a known e-mail joins with their existing password',
  async () => {
    const email = `${randomUUID()}@example.com`;
    const create = (password: string) =>
      answerOf('workspace', 'create', '--name', 'One', '--email', email, '--password', password);
    expect((await create('the first password')).password).toBe('the first password');
    expect((await create('another password')).password).toBeNull();
    const login = (password: string) => call('POST', '/api/auth/login', { body: { email, password } });
    expect((await login('the first password')).status).toBe(200);
  },
  COMMANDS_MS,
);

const nowhere = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
test.each([
  [['api-key', 'create', '--workspace', nowhere, '--name', 'x', '--permissions', 'nope'], /unknown: nope; valid are/],
  [['api-key', 'create', '--workspace', nowhere, '--name', 'x', '--permissions', 'agents:use'], /no workspace/],
  [['api-key', 'revoke', '--id', nowhere], /no API key/],
  [['workspace', 'create', '--name', 'x', '--email', 'nonsense'], /--email: expected an address/],
  [['workspace'], /usage: npm run admin/],
])('%j: an error on stderr, exit code 2', async (args, message) => {
  expect(await admin(...args)).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringMatching(message) });
});
