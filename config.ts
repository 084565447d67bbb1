import { z } from 'zod';
import { SSO_PROVIDER } from './domain/access/ssoProvider.ts';
import { readTokenSecrets } from './domain/access/tokenSecrets.ts';
import { PRICE, PRICE_DECIMALS } from './domain/agent/cost.ts';
import { DEFAULT_READ_LIMITS } from './domain/execution/readLimits.ts';
import { DEFAULT_ANSWER_BYTES, LONGEST_TIMER_MS } from './domain/limits.ts';
import { DEFAULT_SCHEMA_LIMITS } from './domain/object/rules.ts';

const port = z.coerce.number().int().min(0).max(65535);
const bytes = z.coerce.number().int().positive();
const count = z.coerce.number().int().positive();
const atMost = z.coerce.number().int().min(0).max(100_000_000);
const ms = z.coerce.number().int().positive().max(LONGEST_TIMER_MS);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** `15m`, `30d`, `90s`: to milliseconds. */
const span = z
  .string()
  .regex(/^\d+(s|m|h|d)$/, 'expected a number and s, m, h or d, e.g. 15m')
  .transform((text) => {
    const unit = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[text.slice(-1) as 's' | 'm' | 'h' | 'd'];
    return Number(text.slice(0, -1)) * unit;
  });

const json = (expected: string) =>
  z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: `expected ${expected}` });
      return z.NEVER;
    }
  });

/** A JSON list of things that have an id each. */
const jsonList = <Item extends z.ZodType<{ id: string }>>(item: Item) =>
  json('a JSON list').pipe(
    z.array(item).refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'names an id twice'),
  );

/** A number or a text: JSON has no exact decimals. */
const price = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(PRICE, `expected a price such as 0.4, with at most ${PRICE_DECIMALS} decimals`));

const modelPrices = json('a JSON object').pipe(
  z.strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/, 'expected a currency of ISO 4217 such as USD'),
    models: z.record(z.string(), z.strictObject({ input: price, cachedInput: price.optional(), output: price })),
  }),
);

/** Every setting, with its default and its line in docs/settings.md. */
export const SETTINGS = z.object({
  PORT: port.default(3000).describe('Port of the API.'),
  HOST: z.string().default('127.0.0.1').describe('Address the API listens on; 0.0.0.0 in a container.'),
  PUBLIC_URL: z.url().optional().describe('URL by which callers reach the API; http://127.0.0.1:PORT where absent.'),
  DATABASE_URL: z.string().optional().describe('Postgres with pgvector. Absent: `npm start` embeds PGlite.'),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).default(10).describe('Connections to Postgres per process.'),
  DATABASE_STATEMENT_TIMEOUT_MS: ms
    .default(60_000)
    .describe(
      'Longest time of a statement. Postgres cancels a longer one; without an answer one second later the process treats the database as away. Does not apply to migrations. PGlite cannot cancel a statement and lets it end.',
    ),
  DATABASE_PREPARED_STATEMENTS: z.coerce
    .number()
    .int()
    .min(0)
    .default(256)
    .describe(
      'Repeated statements that each connection keeps prepared, so that the database does not parse and plan them again. 0: none, for a pooler between process and Postgres that gives each statement another connection.',
    ),
  TEMPORAL_ADDRESS: z.string().optional().describe('Temporal server, host:port. Absent: `npm start` embeds one.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace.'),
  TEMPORAL_TASK_QUEUE: z
    .string()
    .default('perdure')
    .describe(
      'Task queue of executions and their actions. The task queue `<name>-overflow` takes the actions of workspaces that have many.',
    ),
  TEMPORAL_CALL_TIMEOUT_MS: ms
    .default(2_000)
    .describe('Deadline of each call to the Temporal server during a request.'),
  TEMPORAL_CLI: z
    .string()
    .optional()
    .describe(
      'Path of the `temporal` command for the embedded server. Absent: found on the PATH, downloaded or built.',
    ),
  PERDURE_DATA_DIR: z
    .string()
    .default('.perdure')
    .describe('Folder in which `npm start` keeps databases and credentials.'),
  TEMPORAL_PORT: port
    .default(7233)
    .describe('Port of the embedded Temporal server; the next free one when the default is taken.'),
  TEMPORAL_UI_PORT: port
    .default(8233)
    .describe('Port of the embedded Temporal UI; the next free one when the default is taken.'),
  POSTGRES_PORT: port
    .optional()
    .describe(
      'Loopback port on which the embedded PGlite listens too; 0 takes any free port. Every user of the machine can then read and change all data. Absent: PGlite listens only on a Unix socket, `socket/` in the data folder, which only the user of the process can open.',
    ),
  EMBEDDED_VACUUM_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(LONGEST_TIMER_MS)
    .default(60_000)
    .describe(
      'Time between two passes that vacuum and analyze the tables of the embedded PGlite which changed much; it has no autovacuum of its own. 0: none.',
    ),
  TOKEN_SECRET: z
    .string()
    .refine(
      (text) => readTokenSecrets(text) !== undefined,
      'expected at least 32 characters for each secret of the list',
    )
    .optional()
    .describe(
      'Secrets of access and refresh tokens (HS256), at least 32 characters each, comma separated; the first signs, all verify. Required in production; `npm start` makes one.',
    ),
  ENCRYPTION_KEY: z
    .string()
    .optional()
    .describe(
      'Keys that seal credentials, `id:base64` of 32 bytes, comma separated; the first seals, all open. Required in production; `npm start` makes one.',
    ),
  ACCESS_TOKEN_TTL: span.prefault('15m').describe('Lifetime of an access token.'),
  REFRESH_TOKEN_TTL: span.prefault('30d').describe('Lifetime of a refresh token and its session.'),
  SESSION_IDLE_TIMEOUT: span
    .optional()
    .describe(
      'A session ends when it has asked for no access token for this time. Must be longer than ACCESS_TOKEN_TTL. Absent: a session lives as long as its refresh token.',
    ),
  INVITATION_TTL: span.prefault('7d').describe('Lifetime of an invitation to a workspace.'),
  CORS_ALLOWED_ORIGINS: list.default([]).describe('Origins of browser clients, comma separated.'),
  CLIENT_URL: z
    .url()
    .optional()
    .describe('Address of the web client: the target of redirects after single sign-on and of links in e-mails.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'expected smtp://… or smtps://…' })
    .optional()
    .describe(
      'SMTP server for login links and invitations, with user and password if it requires them; `?requireTLS=true` refuses a server without TLS. Needs `CLIENT_URL`. Absent: no e-mail is sent.',
    ),
  MAIL_FROM: z.string().min(3).default('Perdure <perdure@localhost>').describe('Sender of e-mails.'),
  MAIL_TIMEOUT_MS: ms.default(10_000).describe('Timeout of a call to the SMTP server.'),
  SSO_PROVIDERS: jsonList(SSO_PROVIDER)
    .default([])
    .describe(
      'OpenID Connect providers, a JSON list: `id`, `name`, `issuer`, `clientId`, `clientSecret`, `workspaceId`, `domains`, `defaultRole`, `ssoEnforced`, `passwordAuthDisabled`. Needs `CLIENT_URL`.',
    ),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .describe("Express's `trust proxy`: the proxies whose X-Forwarded-For header is trusted."),
  REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Most requests of one API key or session in a minute; further ones get 429. 0: no limit.'),
  ADDRESS_REQUESTS_PER_MINUTE: atMost
    .default(240_000)
    .describe(
      'Most requests from one address (an IPv6 address counts by its /64) in a minute, over all callers. 0: no limit.',
    ),
  WEBHOOK_REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Most requests to one webhook in a minute. 0: no limit.'),
  API_PROCESSES: count
    .default(1)
    .describe('Number of API processes. Each process enforces its part of the three limits above.'),
  MAX_BODY_BYTES: bytes.default(1_048_576).describe('Largest request body.'),
  MAX_BULK_BODY_BYTES: bytes.default(10_485_760).describe('Largest body of uploads, imports and bulk operations.'),
  MAX_BODY_DEPTH: count.default(100).describe('Deepest nesting of objects and lists in a JSON body.'),
  MAX_FORM_PARTS: z.coerce
    .number()
    .int()
    .positive()
    .default(1_000)
    .describe("Most fields and files of a webhook's form."),
  MAX_DEFINITION_BYTES: bytes.default(262_144).describe('Largest definition of a workflow, as JSON.'),
  MAX_DEFINITION_NODES: z.coerce.number().int().positive().default(1_000).describe('Most nodes of a workflow.'),
  QUEUE_BATCH_BYTES: bytes
    .default(4_194_304)
    .describe(
      'Most data and metadata of the queue items that start one execution; a single larger item still starts one.',
    ),
  MAX_OUTPUT_BYTES: bytes.default(10_485_760).describe('Largest output of one step.'),
  MAX_INLINE_OUTPUT_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.inlineBytes)
    .describe(
      'Largest input or output of a step that reads and streams contain, and largest output of an execution in lists and streams; larger values are replaced by links.',
    ),
  EXECUTION_PATH_ITERATIONS: count
    .default(DEFAULT_READ_LIMITS.pathIterations)
    .describe('Number of newest iterations whose steps `executionPath` contains; the list of steps contains all.'),
  EXECUTION_PATH_STEPS: count
    .default(DEFAULT_READ_LIMITS.pathSteps)
    .describe('Number of newest steps inside loops in which `executionPath` looks for these iterations.'),
  EXECUTION_PATH_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.pathBytes)
    .describe(
      'Most bytes of inputs, outputs and consoles in one read of steps; values of older steps are replaced by links.',
    ),
  IDEMPOTENCY_LOCK_MS: ms
    .default(30_000)
    .describe(
      'Lease of an Idempotency-Key. After this time another request takes the key over from a process that died without an answer.',
    ),
  MAX_ANSWER_BYTES: bytes
    .default(DEFAULT_ANSWER_BYTES)
    .describe(
      'Most bytes of large values (outputs, definitions, values of variables) in one list or read; further values are replaced by links.',
    ),
  EXECUTION_COUNT_MAX: count
    .default(100_000)
    .describe('Number at which `GET /api/executions/counts` stops counting the executions of a status.'),
  READS_AT_ONCE: count
    .optional()
    .describe(
      'Reads that an API process serves at once; one workspace takes at most half. Further reads wait and run in turn by workspace. Absent: DATABASE_POOL_SIZE.',
    ),
  STARTS_IN_FLIGHT: count
    .default(60)
    .describe(
      'Starts that a process has in flight at the Temporal server; one workspace takes at most half. A start is in flight until the execution ends, waits or is seen to run. Further starts wait in the admission queue and run in turn by workspace.',
    ),
  ACTIONS_AT_ONCE: count
    .default(200)
    .describe(
      'Remote actions that a worker runs at once; one workspace takes at most half. The worker runs as many again from the overflow queue.',
    ),
  POLLS_AT_ONCE: count
    .default(50)
    .describe(
      'Polls of poll triggers that a worker runs at once; one workspace takes at most half. Further polls are tried again after up to 15 seconds.',
    ),
  NODE_TESTS_AT_ONCE: count
    .default(20)
    .describe(
      'Node tests that an API process runs at once; one workspace takes at most half. Further tests wait in line for up to SYNC_RUN_TIMEOUT_MS, then get 429.',
    ),
  NODE_TESTS_WAITING: count
    .default(200)
    .describe(
      'Node tests that wait in line in an API process; one workspace takes at most half. Further tests get 429.',
    ),
  SYNC_RUN_TIMEOUT_MS: ms
    .default(60_000)
    .describe('Time that runs and synchronous webhooks wait for the end of their execution.'),
  TURN_WAIT_MS: ms
    .default(600_000)
    .describe("Time that `message` waits for the end of an agent's turn, including the turns queued before it."),
  AGENT_MAX_DEPTH: count
    .default(5)
    .describe(
      'Deepest chain of agents that call each other as tools or through workflows, the first included; a deeper call fails.',
    ),
  CANCEL_WAIT_MS: ms
    .default(5_000)
    .describe('Time that `cancel` waits for the end of the execution before it answers with the current status.'),
  ACTION_TIMEOUT_MS: ms
    .default(600_000)
    .describe('Timeout of one attempt of a remote action if neither the node nor the action sets one.'),
  REGION_BUDGET_MS: ms
    .default(2_000)
    .describe('Time after which an activity that runs inline nodes stops and hands back to its workflow.'),
  GROUP_WRITE_MAX: count
    .default(100)
    .describe('Most writes of parallel iterations of one execution that one statement combines.'),
  GROUP_WRITE_MAX_BYTES: bytes
    .default(1_048_576)
    .describe('Most bytes of writes that one statement combines; a larger write goes alone.'),
  GROUP_WRITE_GATHER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(50)
    .describe(
      'Longest time that a write waits for others to combine with, if the statement before it combined several.',
    ),
  LOOP_CONTEXT_CACHE_BYTES: bytes
    .default(33_554_432)
    .describe(
      'Cache of a worker for the context that iterations of a running loop share; one loop takes at most half. A second cache of this size holds the items of loops inside regions.',
    ),
  RECONCILE_INTERVAL_MS: ms.default(3_000).describe("Pause between the reconciler's passes."),
  SSE_HEARTBEAT_MS: ms.default(15_000).describe('Pause between heartbeats of event streams.'),
  SSE_MAX_PAUSE_MS: ms
    .default(5_000)
    .describe('Longest pause between two reads of an event stream while its execution changes quickly.'),
  EXECUTION_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe('Days after which ended executions and all their data are deleted; 0 keeps them.'),
  CHANGE_POLL_MS: ms
    .default(1_000)
    .describe(
      'Interval at which the change feed polls executions with waiting requests or streams, in case a notification was lost.',
    ),
  BULK_EXECUTIONS_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe('Most executions in one bulk cancel or retry; the answer contains the number that remain.'),
  OBJECT_MAX_BYTES: bytes.default(262_144).describe('Largest attributes of one entity, as JSON.'),
  OBJECT_IMPORT_MAX_ROWS: count.default(50_000).describe('Most rows of one import of entities.'),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(365)
    .describe('Days after which entries of the audit log are deleted; 0 keeps them.'),
  OBJECT_CHANGES_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(7)
    .describe(
      'Days after which changes of entities are deleted. The trigger `objects.changed` reads them; a workflow that polls less often misses some.',
    ),
  OBJECT_SCHEMA_MAX_BYTES: bytes
    .default(DEFAULT_SCHEMA_LIMITS.bytes)
    .describe('Largest attributeSchema and largest stateSchema of an entity type, as JSON.'),
  OBJECT_SCHEMA_MAX_DEPTH: count
    .default(DEFAULT_SCHEMA_LIMITS.depth)
    .describe('Deepest nesting of schemas in an attributeSchema.'),
  OBJECT_SCHEMA_MAX_NODES: count
    .default(DEFAULT_SCHEMA_LIMITS.nodes)
    .describe('Most schemas in an attributeSchema; a schema counts once for each reference to it.'),
  DRAIN_TIMEOUT_MS: ms
    .default(8_000)
    .describe('Time that a stopping process gives its running requests and activities to end.'),
  HTTP_ALLOWED_PRIVATE_HOSTS: list
    .default([])
    .describe(
      'Private hosts, with or without a port, that apps, polls and model providers may reach (`http`, `postgres`, `openai`, MCP). Comma separated.',
    ),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe(
      'API key of the default model provider, for agents and knowledge bases without a connection of their own. Absent: agents need a connection, and embeddings are local.',
    ),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.openai.com/v1')
    .describe(
      "Base URL of the default model provider; it must implement OpenAI's API. A private host must also be listed in HTTP_ALLOWED_PRIVATE_HOSTS.",
    ),
  AGENT_MEMORY_MAX_FACTS: count
    .default(200)
    .describe(
      'Most facts that an agent remembers for each person or API key, or for all callers together (memoryScope).',
    ),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'Prices of models, as JSON: `{"currency": "USD", "models": {"<model>": {"input": 0.4, "cachedInput": 0.1, "output": 1.6}}}`, each for a million tokens. Usage then contains a `cost`.',
    ),
  EMBEDDING_PROVIDER: z
    .enum(['openai', 'local'])
    .optional()
    .describe(
      'Default embedding provider of knowledge bases. Absent: openai if OPENAI_API_KEY is set, otherwise local, an encoder that ships with the product.',
    ),
  EMBEDDING_MODEL: z
    .string()
    .default('text-embedding-3-small')
    .describe('Default embedding model of knowledge bases with the provider openai.'),
  EMBEDDING_DIMENSIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(4_000)
    .optional()
    .describe('Dimensions of EMBEDDING_MODEL. Absent: the dimensions of the model, if they are known.'),
  EMBEDDING_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Threads of a process for the local encoder. Each takes 300 MB from its first use on.'),
  EMBEDDING_MAX_WAITING: count
    .default(1_000)
    .describe(
      'Most tasks (a search, or four parts of a document) that wait for the local encoder of a process. Further searches get 502; ingestions try again.',
    ),
  EMBEDDING_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one call for embeddings.'),
  MCP_LIST_TIMEOUT_MS: ms
    .default(10_000)
    .describe('Timeout for listing the tools of an MCP server at the beginning of a turn.'),
  MCP_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one call of a tool of an MCP server.'),
  MCP_MAX_TOOLS: count
    .default(100)
    .describe('Most tools that an agent takes from one MCP server; further ones are left out.'),
  MCP_MAX_TOOL_BYTES: bytes
    .default(16_384)
    .describe(
      'Largest name, description and schema of a tool of an MCP server together, as JSON; a larger tool is left out.',
    ),
  MCP_MAX_ANSWER_BYTES: bytes
    .default(10_485_760)
    .describe('Largest answer of an MCP server, decompressed; the call fails beyond it.'),
  PROVIDER_MAX_ANSWER_BYTES: bytes
    .default(67_108_864)
    .describe('Largest answer of a model provider, decompressed; the call fails beyond it.'),
  CONNECTION_CHECK_TIMEOUT_MS: ms
    .default(10_000)
    .describe('Timeout of the check that `connect` makes with new credentials.'),
  POSTGRES_MAX_ROWS: count.default(10_000).describe('Most rows in the output of one step of `postgres`.'),
  POSTGRES_CLIENTS: count
    .default(10)
    .describe('Most connections of a worker to one database of the app `postgres`; further steps wait.'),
  CODE_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Threads of a worker for `code.javascript`, beside one for short runs.'),
  CODE_MAX_TIMEOUT_MS: ms.max(600_000).default(60_000).describe('Longest time limit of `code.javascript`.'),
  CODE_MAX_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(4)
    .max(900)
    .default(256)
    .describe('Largest memory limit of one run of `code.javascript`, in MiB.'),
  CODE_MAX_CONSOLE_BYTES: bytes
    .default(65_536)
    .describe('Most console output that is kept of one run of `code.javascript`.'),
  FILES_ROOT: z
    .string()
    .optional()
    .describe('Folder of the worker that the trigger `files.changed` may read, for every workspace. Absent: none.'),
  POLL_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one poll of a poll trigger.'),
  POLL_MAX_ITEMS: z.coerce.number().int().positive().default(5_000).describe('Most items that one poll may find.'),
  POLL_SEEN_KEYS: z.coerce
    .number()
    .int()
    .positive()
    .default(20_000)
    .describe('Keys of past items that a poll trigger remembers, beside the current ones; the oldest are forgotten.'),
  ENABLE_TESTING_APP: flag.default(false).describe('Adds the app `testing` to the catalogue.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Lowest level that is logged.'),
});

export type Config = z.output<typeof SETTINGS>;

/** Reads the environment once. Throws one error with every wrong setting and its expectation. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = SETTINGS.safeParse(present);
  if (parsed.success && parsed.data.SSO_PROVIDERS.length > 0 && parsed.data.CLIENT_URL === undefined) {
    throw new Error(
      'The environment is not valid:\n  CLIENT_URL: required where SSO_PROVIDERS has a provider: people return there',
    );
  }
  if (parsed.success && parsed.data.SMTP_URL !== undefined && parsed.data.CLIENT_URL === undefined) {
    throw new Error(
      'The environment is not valid:\n  CLIENT_URL: required where SMTP_URL is set: links in e-mails lead there',
    );
  }
  const idle = parsed.success ? parsed.data.SESSION_IDLE_TIMEOUT : undefined;
  if (parsed.success && idle !== undefined && idle <= parsed.data.ACCESS_TOKEN_TTL) {
    throw new Error(
      'The environment is not valid:\n  SESSION_IDLE_TIMEOUT: expected longer than ACCESS_TOKEN_TTL: a session shows its use by asking for an access token',
    );
  }
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The environment is not valid:\n${lines.join('\n')}`);
}
