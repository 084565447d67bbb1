import { isDeepStrictEqual } from 'node:util';
import { Pool } from 'undici';
import type { BareProcess } from './bareProcess.ts';
import { LISTED, ONE_STEP, THREE_INLINE, THREE_REMOTE } from './definitions.ts';
import { ORDER, TOTAL } from './order.ts';
import type { RowName } from './rows.ts';
import type { BenchStack } from './stack.ts';

/** One request whose response is checked. Returns the id of the started execution, if any. */
export type Call = () => Promise<string | undefined>;

export interface Side {
  calls: Record<RowName, Call>;
  close(): Promise<void>;
}

interface Expected {
  status: number;
  isRight(body: unknown): boolean;
}

const EXPECTED: Record<RowName, Expected> = {
  inline: { status: 200, isRight: (body) => isDeepStrictEqual(body, TOTAL) },
  remote: { status: 200, isRight: (body) => isDeepStrictEqual(body, ORDER) },
  execute: { status: 201, isRight: (body) => typeof (body as { executionId?: unknown }).executionId === 'string' },
  list: { status: 200, isRight: (body) => Array.isArray(body) && body.length === 100 },
};

interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

function connect(url: string): Pool {
  return new Pool(url, { connections: 10, pipelining: 1 });
}

async function answerOf(pool: Pool, { method, path, headers, body }: Sent) {
  const answer = await pool.request({
    method,
    path,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

function caller(pool: Pool, row: RowName, sent: Sent): Call {
  const expected = EXPECTED[row];
  return async () => {
    const { status, headers, text } = await answerOf(pool, sent);
    const body: unknown = status === expected.status ? JSON.parse(text) : undefined;
    if (body === undefined || !expected.isRight(body)) {
      throw new Error(`${sent.method} ${sent.path}: ${status} ${text.slice(0, 500)}`);
    }
    const id = headers['x-execution-id'] ?? (body as { executionId?: string }).executionId;
    return Array.isArray(id) ? id[0] : id;
  };
}

export interface Deployed {
  inline: string;
  remote: string;
  execute: string;
}

export async function deploy({ credentials }: BenchStack): Promise<Deployed> {
  const pool = connect(credentials.url);
  const upsert = async (definition: object): Promise<string> => {
    const { status, text } = await answerOf(pool, {
      method: 'POST',
      path: `/api/projects/${credentials.projectId}/workflows/upsert`,
      headers: { 'x-api-key': credentials.apiKey },
      body: JSON.stringify(definition),
    });
    if (status >= 300) throw new Error(`upsert: ${status} ${text}`);
    return (JSON.parse(text) as { id: string }).id;
  };
  const deployed = {
    inline: await upsert(THREE_INLINE),
    remote: await upsert(THREE_REMOTE),
    execute: await upsert(ONE_STEP),
  };
  await Promise.all(LISTED.map(upsert));
  await pool.close();
  return deployed;
}

/** `url`: the process whose statements are counted; default: the stack's own. */
export function ourSide({ credentials }: BenchStack, deployed: Deployed, url: string = credentials.url): Side {
  const pool = connect(url);
  const headers = { 'x-api-key': credentials.apiKey };
  const order = JSON.stringify(ORDER);
  const webhook = (id: string): Sent => ({ method: 'POST', path: `/api/webhooks/workflows/${id}`, body: order });
  return {
    calls: {
      inline: caller(pool, 'inline', webhook(deployed.inline)),
      remote: caller(pool, 'remote', webhook(deployed.remote)),
      execute: caller(pool, 'execute', {
        method: 'POST',
        path: `/api/executions/workflows/${deployed.execute}/execute`,
        headers,
        body: '{}',
      }),
      list: caller(pool, 'list', { method: 'GET', path: '/api/workflows?limit=100', headers }),
    },
    close: () => pool.close(),
  };
}

export function bareSide(bare: BareProcess, { credentials }: BenchStack): Side {
  const pool = connect(bare.url);
  const headers = { 'x-api-key': credentials.apiKey };
  const body = JSON.stringify(ORDER);
  return {
    calls: {
      inline: caller(pool, 'inline', { method: 'POST', path: '/work/inline', body }),
      remote: caller(pool, 'remote', { method: 'POST', path: '/work/remote', body }),
      execute: caller(pool, 'execute', { method: 'POST', path: '/work/execute', body: '{}' }),
      list: caller(pool, 'list', { method: 'GET', path: '/work/list', headers }),
    },
    close: () => pool.close(),
  };
}
