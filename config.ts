import { z } from 'zod';
import { AGENT_SETTINGS } from './settings/agents.ts';
import { API_SETTINGS } from './settings/api.ts';
import { APP_SETTINGS } from './settings/apps.ts';
import { EMBEDDED_SETTINGS } from './settings/embedded.ts';
import { EVENT_SETTINGS } from './settings/events.ts';
import { EXECUTION_SETTINGS } from './settings/executions.ts';
import { KNOWLEDGE_SETTINGS } from './settings/knowledge.ts';
import { OPERATION_SETTINGS } from './settings/operation.ts';
import { PEOPLE_SETTINGS } from './settings/people.ts';
import { REQUEST_SETTINGS } from './settings/requests.ts';
import { SERVER_SETTINGS } from './settings/servers.ts';
import { TRACING_SETTINGS } from './settings/tracing.ts';
import { WORK_SETTINGS } from './settings/work.ts';

/** All settings, as docs/settings.md shows them. `settings/` has their defaults and descriptions. */
export const SETTING_GROUPS: readonly { title: string; settings: Readonly<Record<string, z.ZodType>> }[] = [
  { title: 'The API', settings: API_SETTINGS },
  { title: 'Limits of requests and answers', settings: REQUEST_SETTINGS },
  { title: 'Secrets and people', settings: PEOPLE_SETTINGS },
  { title: 'Database and Temporal server', settings: SERVER_SETTINGS },
  { title: 'Metrics and duties', settings: OPERATION_SETTINGS },
  { title: 'Traces', settings: TRACING_SETTINGS },
  { title: 'What `npm start` embeds', settings: EMBEDDED_SETTINGS },
  { title: 'Executions', settings: EXECUTION_SETTINGS },
  { title: 'Queues and entities', settings: WORK_SETTINGS },
  { title: 'Events to others', settings: EVENT_SETTINGS },
  { title: 'Agents and models', settings: AGENT_SETTINGS },
  { title: 'Knowledge bases', settings: KNOWLEDGE_SETTINGS },
  { title: 'Apps and poll triggers', settings: APP_SETTINGS },
];

export const SETTINGS = z.object({
  ...API_SETTINGS,
  ...REQUEST_SETTINGS,
  ...PEOPLE_SETTINGS,
  ...SERVER_SETTINGS,
  ...OPERATION_SETTINGS,
  ...TRACING_SETTINGS,
  ...EMBEDDED_SETTINGS,
  ...EXECUTION_SETTINGS,
  ...WORK_SETTINGS,
  ...EVENT_SETTINGS,
  ...AGENT_SETTINGS,
  ...KNOWLEDGE_SETTINGS,
  ...APP_SETTINGS,
});

export type Config = z.output<typeof SETTINGS>;

/** Reads the environment. Throws one error with every wrong setting and its expectation. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  return read(environment, togetherProblems);
}

/** readConfig for an API or a worker, which answer requests or write links. */
export function readServiceConfig(environment: NodeJS.ProcessEnv): Config {
  return read(environment, (config) => [...togetherProblems(config), ...addressProblems(config)]);
}

/** readServiceConfig for `npm start`, which finds its port later. */
export function readEmbeddedConfig(environment: NodeJS.ProcessEnv): Config {
  return read(environment, (config) => [
    ...togetherProblems({ ...config, CLIENT_URL: embeddedClientUrl(config, config.PORT) }),
    ...addressProblems(config),
  ]);
}

/** Undefined without a console, or if the port is not known in advance. */
export function embeddedClientUrl({ CLIENT_URL, CONSOLE }: Config, port: number): string | undefined {
  return CLIENT_URL ?? (CONSOLE === 'on' && port !== 0 ? `http://127.0.0.1:${port}/console` : undefined);
}

function read(environment: NodeJS.ProcessEnv, problemsOf: (config: Config) => string[]): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = SETTINGS.safeParse(present);
  const config = parsed.success ? { ...parsed.data, CLIENT_URL: clientUrl(parsed.data) } : undefined;
  const problems = config
    ? problemsOf(config)
    : (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (config && problems.length === 0) return config;
  throw new Error(`The environment is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

function clientUrl({ CLIENT_URL, CONSOLE, PUBLIC_URL }: Config): string | undefined {
  if (CLIENT_URL !== undefined || CONSOLE === 'off' || PUBLIC_URL === undefined) return CLIENT_URL;
  return new URL('/console', PUBLIC_URL).href;
}

const LOOPBACK = /^(localhost|127\..*|::1)$/;

/** Checks settings that are valid by themselves but not together. */
function togetherProblems(config: Config): string[] {
  const { CLIENT_URL, SSO_PROVIDERS, SMTP_URL, SESSION_IDLE_TIMEOUT = Number.POSITIVE_INFINITY } = config;
  const problems: string[] = [];
  if (config.OAUTH2_REFRESH_LEASE_MS <= config.OAUTH2_TIMEOUT_MS) {
    problems.push(
      'OAUTH2_REFRESH_LEASE_MS: expected more than OAUTH2_TIMEOUT_MS, or two workers could refresh at once',
    );
  }
  if (CLIENT_URL === undefined && SSO_PROVIDERS.length > 0) {
    problems.push('CLIENT_URL: required if SSO_PROVIDERS has a provider: users return there');
  }
  if (CLIENT_URL === undefined && SMTP_URL !== undefined) {
    problems.push('CLIENT_URL: required if SMTP_URL is set: links in e-mails lead there');
  }
  problems.push(...webhookUrlProblems(config));
  if (SESSION_IDLE_TIMEOUT <= config.ACCESS_TOKEN_TTL) {
    problems.push(
      'SESSION_IDLE_TIMEOUT: expected longer than ACCESS_TOKEN_TTL: only requests for an access token show that a session is used',
    );
  }
  if (config.TEMPORAL_DEPLOYMENT_NAME !== undefined && config.TEMPORAL_WORKER_BUILD_ID === undefined) {
    problems.push('TEMPORAL_WORKER_BUILD_ID: required with TEMPORAL_DEPLOYMENT_NAME');
  }
  return problems;
}

/** On the host of one of our pages, scripts of tenants would run on its origin. */
function webhookUrlProblems({ WEBHOOK_URL, PUBLIC_URL, CLIENT_URL }: Config): string[] {
  if (WEBHOOK_URL === undefined) return [];
  if (PUBLIC_URL === undefined) return ['PUBLIC_URL: required with WEBHOOK_URL: the two need different hosts'];
  const others = [PUBLIC_URL, ...(CLIENT_URL === undefined ? [] : [CLIENT_URL])];
  if (others.every((url) => new URL(url).host !== new URL(WEBHOOK_URL).host)) return [];
  return ['WEBHOOK_URL: expected a host other than those of PUBLIC_URL and CLIENT_URL'];
}

/** Without PUBLIC_URL, links would follow the Host header, and those that workers write would lead to 127.0.0.1. */
function addressProblems({ HOST, PUBLIC_URL }: Config): string[] {
  if (PUBLIC_URL !== undefined || LOOPBACK.test(HOST)) return [];
  return [
    `PUBLIC_URL: required if HOST (${HOST}) is not a loopback address: links lead there. Set it to the URL by which callers reach the API, such as https://perdure.example.com`,
  ];
}
