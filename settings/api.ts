import { z } from 'zod';
import { count, ms, origins, port, trustedProxies, webUrl } from './values.ts';

function afterHost(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return `${pathname}${search}${hash}`;
}

const originUrl = webUrl.refine(
  (url) => !/^https?:/i.test(url) || !URL.canParse(url) || afterHost(url) === '/',
  'expected a URL without a path, such as https://api.example.com',
);

export const API_SETTINGS = {
  PORT: port.default(3000).describe('Port of the API.'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on; 0.0.0.0 in a container.'),
  // Links, cookies and the served document would lack a path.
  PUBLIC_URL: originUrl
    .optional()
    .describe(
      'URL by which callers reach the API, without a path: links, redirects of logins and addresses of questions begin with it. Required if HOST is not a loopback address; otherwise the default is http://127.0.0.1:PORT.',
    ),
  WEBHOOK_URL: originUrl
    .optional()
    .describe(
      'URL of an origin for webhooks only, without a path. Its host then serves only webhooks, whose answers may be JavaScript, and PUBLIC_URL must have another host; absent: webhooks are on the origin of the API.',
    ),
  CONSOLE: z.enum(['on', 'off']).default('on').describe('Whether the API serves the console at /console/.'),
  TRUST_PROXY: trustedProxies
    .default('loopback')
    .describe("Express's `trust proxy`: the proxies whose X-Forwarded-For header is trusted."),
  CORS_ALLOWED_ORIGINS: origins.default([]).describe('Origins of browser clients, comma separated.'),
  READS_AT_ONCE: count
    .optional()
    .describe(
      'Reads that an API process serves concurrently; one workspace gets at most half. Further reads wait, and workspaces take turns; absent: DATABASE_POOL_SIZE.',
    ),
  SSE_HEARTBEAT_MS: ms.default(15_000).describe('Pause between heartbeats of event streams.'),
  SSE_MAX_PAUSE_MS: ms
    .default(5_000)
    .describe('Maximum pause between two reads of an event stream while its execution changes quickly.'),
  CHANGE_POLL_MS: ms
    .default(1_000)
    .describe(
      'Interval at which the change feed polls executions with waiting requests or streams, in case a notification was lost.',
    ),
  WORKSPACE_STREAM_GATHER_MS: ms
    .default(250)
    .describe('How long the stream of a workspace collects changes before it reads and sends them together.'),
  WORKSPACE_STREAM_PAUSE_MS: ms
    .default(1_100)
    .describe(
      'Minimum time between two reads for the streams of workspaces. An API process makes one read for all of them, regardless of the number of followers.',
    ),
  WORKSPACE_STREAM_QUEUE_LOOK_MS: ms
    .default(5_000)
    .describe(
      'Maximum delay until the stream of a workspace reports a changed queue or entity: not every change of items is announced, and no change of entities.',
    ),
  WORKSPACE_STREAM_MOST_GATHERED: count
    .default(5_000)
    .describe('Maximum changes that one read collects; beyond it, the streams of workspaces send `resync` instead.'),
  WORKSPACE_STREAM_KEPT_EVENTS: count
    .default(2_000)
    .describe('Maximum events of a workspace that an API process keeps for followers who reconnect.'),
  WORKSPACE_STREAM_KEPT_MS: ms.default(30_000).describe('How long they are kept after the last follower has left.'),
  IDEMPOTENCY_LOCK_MS: ms
    .default(30_000)
    .describe(
      'Lease of an Idempotency-Key. After this time another request takes over the key of a process that died without an answer.',
    ),
  DRAIN_TIMEOUT_MS: ms
    .default(8_000)
    .describe('Time that a stopping process gives its running requests and activities to finish.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Minimum level that is logged.'),
};
