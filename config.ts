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

/** A number or a text: JSON has no decimals that stay what they are. */
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
      'After it Postgres cancels a statement; without an answer a second later the database counts as away. Not of migrations. PGlite, which cannot cancel, lets its statements end.',
    ),
  TEMPORAL_ADDRESS: z.string().optional().describe('Temporal server, host:port. Absent: `npm start` embeds one.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace.'),
  TEMPORAL_TASK_QUEUE: z
    .string()
    .default('perdure')
    .describe(
      'Task queue of executions and their actions; beside it `<name>-overflow`, for actions of workspaces that have many.',
    ),
  TEMPORAL_CALL_TIMEOUT_MS: ms.default(2_000).describe('Deadline of a call to the engine during a request.'),
  TEMPORAL_CLI: z
    .string()
    .optional()
    .describe(
      'Path of the `temporal` command for the embedded server. Absent: found on the PATH, downloaded or built.',
    ),
  PERDURE_DATA_DIR: z.string().default('.perdure').describe('Where `npm start` keeps databases and credentials.'),
  TEMPORAL_PORT: port
    .default(7233)
    .describe('Port of the embedded Temporal server; the next free one when the default is taken.'),
  TEMPORAL_UI_PORT: port.default(8233).describe('Port of the embedded Temporal UI; likewise.'),
  POSTGRES_PORT: port
    .optional()
    .describe(
      'A port of loopback for the embedded PGlite too (0: any free one): whoever is on the machine may then read and change all. Absent: only a Unix socket, `socket/` in the data folder, for the user who started it.',
    ),
  TOKEN_SECRET: z
    .string()
    .refine((text) => readTokenSecrets(text) !== undefined, 'expected at least 32 characters, of each of the list')
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
      'After how long without a new access token a session ends; longer than ACCESS_TOKEN_TTL. Absent: it lives as long as its refresh token.',
    ),
  INVITATION_TTL: span.prefault('7d').describe('Lifetime of an invitation to a workspace.'),
  CORS_ALLOWED_ORIGINS: list.default([]).describe('Origins of browser clients, comma separated.'),
  CLIENT_URL: z.url().optional().describe('Where single sign-on returns people to, and links in e-mails lead.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'expected smtp://… or smtps://…' })
    .optional()
    .describe(
      'SMTP server for links to log in and invitations, with user and password where it wants them; `?requireTLS=true` refuses one without TLS. Needs `CLIENT_URL`. Absent: no e-mail is sent.',
    ),
  MAIL_FROM: z.string().min(3).default('Perdure <perdure@localhost>').describe('Sender of e-mails.'),
  MAIL_TIMEOUT_MS: ms.default(10_000).describe('How long the SMTP server is waited for.'),
  SSO_PROVIDERS: jsonList(SSO_PROVIDER)
    .default([])
    .describe(
      'OpenID Connect providers, a JSON list: `id`, `name`, `issuer`, `clientId`, `clientSecret`, `workspaceId`, `domains`, `defaultRole`, `ssoEnforced`, `passwordAuthDisabled`. Needs `CLIENT_URL`.',
    ),
  TRUST_PROXY: z.string().default('loopback').describe("Express's `trust proxy`: whose X-Forwarded-For counts."),
  REQUESTS_PER_MINUTE: atMost
    .default(120_000)
    .describe('Requests of one API key or session in a minute; more are answered 429. 0: no limit.'),
  ADDRESS_REQUESTS_PER_MINUTE: atMost
    .default(240_000)
    .describe('Requests from one address (of IPv6, its /64) in a minute, whoever calls. 0: no limit.'),
  WEBHOOK_REQUESTS_PER_MINUTE: atMost.default(120_000).describe('Requests to one webhook in a minute. 0: no limit.'),
  API_PROCESSES: count
    .default(1)
    .describe('How many processes of the API there are: each lets its share of these limits through.'),
  MAX_BODY_BYTES: bytes.default(1_048_576).describe('Largest request body.'),
  MAX_BULK_BODY_BYTES: bytes.default(10_485_760).describe('Largest body of uploads, imports and bulk operations.'),
  MAX_BODY_DEPTH: count.default(100).describe('Most objects and lists inside each other in a JSON body.'),
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
    .describe('Data and metadata of the queue items that one execution gets; a single item may have more.'),
  MAX_OUTPUT_BYTES: bytes.default(10_485_760).describe('Largest output of one step.'),
  MAX_INLINE_OUTPUT_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.inlineBytes)
    .describe('Largest input or output that reads and streams of an execution show; larger ones are given as links.'),
  EXECUTION_PATH_ITERATIONS: count
    .default(DEFAULT_READ_LIMITS.pathIterations)
    .describe('Of how many of the newest iterations `executionPath` shows the steps; all are in the list of steps.'),
  EXECUTION_PATH_STEPS: count
    .default(DEFAULT_READ_LIMITS.pathSteps)
    .describe('How many of the newest steps inside loops it takes them from.'),
  EXECUTION_PATH_BYTES: bytes
    .default(DEFAULT_READ_LIMITS.pathBytes)
    .describe('Inputs, outputs and consoles that one read of steps shows together; those of older steps are links.'),
  IDEMPOTENCY_LOCK_MS: ms
    .default(30_000)
    .describe(
      'After how long an Idempotency-Key without an answer is taken over, where the process that had it has died.',
    ),
  MAX_ANSWER_BYTES: bytes
    .default(DEFAULT_ANSWER_BYTES)
    .describe(
      'Large values (outputs, definitions, values of variables) that one list or read shows together; the others are links.',
    ),
  EXECUTION_COUNT_MAX: count
    .default(100_000)
    .describe('How far `GET /api/executions/counts` counts the executions of each status.'),
  READS_AT_ONCE: count
    .optional()
    .describe(
      'Reads of the API that a process serves at once, half of them of one workspace; of more, one of each workspace in turn. Absent: DATABASE_POOL_SIZE.',
    ),
  STARTS_IN_FLIGHT: count
    .default(60)
    .describe(
      'Executions that a process lets into the engine at once, until they have ended, wait, or are seen to run; half of them of one workspace. Of more, one of each workspace in turn.',
    ),
  ACTIONS_AT_ONCE: count
    .default(200)
    .describe(
      'Remote actions that a worker runs at once, half of them of one workspace; and as many again of workspaces that have more.',
    ),
  SYNC_RUN_TIMEOUT_MS: ms.default(60_000).describe('How long runs and synchronous webhooks wait for the end.'),
  TURN_WAIT_MS: ms
    .default(600_000)
    .describe("How long `message` waits for the end of an agent's turn, the turns before it included."),
  AGENT_MAX_DEPTH: count
    .default(5)
    .describe(
      'Turns of agents that call each other, as tools or by workflows, the first included; a deeper call fails.',
    ),
  CANCEL_WAIT_MS: ms
    .default(5_000)
    .describe('How long `cancel` waits for the end of the execution before it answers the status as it is.'),
  ACTION_TIMEOUT_MS: ms
    .default(600_000)
    .describe('Time of one attempt of a remote action, where neither node nor action says.'),
  REGION_BUDGET_MS: ms
    .default(2_000)
    .describe('How long one activity goes on through inline nodes before it hands back.'),
  GROUP_WRITE_MAX: count
    .default(100)
    .describe(
      'Most writes of one execution, from iterations that run side by side, that go together in one statement.',
    ),
  GROUP_WRITE_MAX_BYTES: bytes.default(1_048_576).describe('Most bytes of them; a write that is larger goes alone.'),
  GROUP_WRITE_GATHER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(50)
    .describe('Longest time that such a statement waits for others, where the one before it had several.'),
  LOOP_CONTEXT_CACHE_BYTES: bytes
    .default(33_554_432)
    .describe(
      'What a worker keeps of what the iterations of running loops see alike; a loop takes half at most. As much again for the items of loops that regions run.',
    ),
  RECONCILE_INTERVAL_MS: ms.default(3_000).describe("Pause between the reconciler's passes."),
  SSE_HEARTBEAT_MS: ms.default(15_000).describe('Pause between heartbeats of event streams.'),
  SSE_MAX_PAUSE_MS: ms
    .default(5_000)
    .describe('Longest pause between two reads for event streams while an execution changes quickly.'),
  EXECUTION_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(0)
    .describe('Days after which executions that have ended are deleted with all that belongs to them; 0 keeps them.'),
  CHANGE_POLL_MS: ms
    .default(1_000)
    .describe('The net under the change feed: how often waited-for executions are looked at.'),
  BULK_EXECUTIONS_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe('Most executions that one bulk cancel or retry takes; the answer tells how many remain.'),
  OBJECT_MAX_BYTES: bytes.default(262_144).describe('Largest attributes of one entity, as JSON.'),
  OBJECT_IMPORT_MAX_ROWS: count.default(50_000).describe('Most rows of one import of entities.'),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(365)
    .describe('Days for which entries of the audit log are kept; 0 keeps them.'),
  OBJECT_CHANGES_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(7)
    .describe(
      'Days for which changes of entities are kept for the trigger `objects.changed`; a workflow that looks less often misses some.',
    ),
  OBJECT_SCHEMA_MAX_BYTES: bytes
    .default(DEFAULT_SCHEMA_LIMITS.bytes)
    .describe('Largest attributeSchema and largest stateSchema of an entity type, as JSON.'),
  OBJECT_SCHEMA_MAX_DEPTH: count
    .default(DEFAULT_SCHEMA_LIMITS.depth)
    .describe('Most schemas inside each other in an attributeSchema.'),
  OBJECT_SCHEMA_MAX_NODES: count
    .default(DEFAULT_SCHEMA_LIMITS.nodes)
    .describe('Most schemas in an attributeSchema, each counted as often as references lead to it.'),
  DRAIN_TIMEOUT_MS: ms.default(8_000).describe('How long a stopping process waits for what runs in it.'),
  HTTP_ALLOWED_PRIVATE_HOSTS: list
    .default([])
    .describe(
      'Private hosts that apps and model providers may be at (`http`, `postgres`, `openai`, polls), each with or without a port.',
    ),
  OPENAI_API_KEY: z
    .string()
    .optional()
    .describe(
      'Key of the model provider that agents and knowledge bases use where they name no connection of their own. Absent: they need one, and embeddings are local.',
    ),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://api.openai.com/v1')
    .describe(
      "Where that provider is: anything that speaks OpenAI's API. A private host must stand in HTTP_ALLOWED_PRIVATE_HOSTS too.",
    ),
  AGENT_MEMORY_MAX_FACTS: count
    .default(200)
    .describe('Most facts that an agent remembers of one person, one API key, or all of them together (memoryScope).'),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'What models cost, in JSON: `{"currency": "USD", "models": {"<model>": {"input": 0.4, "cachedInput": 0.1, "output": 1.6}}}`, each for a million tokens. Usage has a `cost` then.',
    ),
  EMBEDDING_PROVIDER: z
    .enum(['openai', 'local'])
    .optional()
    .describe(
      'What embeds the texts of knowledge bases that name no provider. Absent: openai where OPENAI_API_KEY is set, else local, an encoder that ships with the product.',
    ),
  EMBEDDING_MODEL: z
    .string()
    .default('text-embedding-3-small')
    .describe('Embedding model of bases of the provider openai that name none.'),
  EMBEDDING_DIMENSIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(4_000)
    .optional()
    .describe("Dimensions of EMBEDDING_MODEL. Absent: the model's own, where they are known."),
  EMBEDDING_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Threads of a process that run the local encoder, 300 MB each once they are needed.'),
  EMBEDDING_MAX_WAITING: count
    .default(1_000)
    .describe(
      'Most tasks (searches, or four parts of a document each) that wait for the local encoder of a process; more are refused, searches by 502, and ingestions try again.',
    ),
  EMBEDDING_TIMEOUT_MS: ms.default(60_000).describe('Time of one call for embeddings.'),
  MCP_LIST_TIMEOUT_MS: ms
    .default(10_000)
    .describe("How long the list of an MCP server's tools may take, at the beginning of a turn."),
  MCP_TIMEOUT_MS: ms.default(60_000).describe('Time of one call of a tool of an MCP server.'),
  MCP_MAX_TOOLS: count.default(100).describe('Tools of one MCP server that an agent has; further ones are left out.'),
  MCP_MAX_TOOL_BYTES: bytes
    .default(16_384)
    .describe('Name, description and schema of one tool of an MCP server, as JSON; a larger one is left out.'),
  MCP_MAX_ANSWER_BYTES: bytes
    .default(10_485_760)
    .describe('Largest answer of an MCP server, unpacked; one that goes beyond it is cut off and fails.'),
  PROVIDER_MAX_ANSWER_BYTES: bytes
    .default(67_108_864)
    .describe('Largest answer of a model provider, unpacked; one that goes beyond it is cut off and fails.'),
  CONNECTION_CHECK_TIMEOUT_MS: ms
    .default(10_000)
    .describe('How long `connect` tries credentials at the service that they are for.'),
  POSTGRES_MAX_ROWS: count.default(10_000).describe('Most rows that one step of `postgres` gives.'),
  POSTGRES_CLIENTS: count
    .default(10)
    .describe('Connections that a worker has to one database of `postgres` at once; further steps wait.'),
  CODE_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Runs of `code.javascript` at a time in a worker, beside one short one.'),
  CODE_MAX_TIMEOUT_MS: ms.max(600_000).default(60_000).describe('Longest time limit of `code.javascript`.'),
  CODE_MAX_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(4)
    .max(900)
    .default(256)
    .describe('Largest memory limit of `code.javascript`, MiB per run.'),
  CODE_MAX_CONSOLE_BYTES: bytes.default(65_536).describe('What is kept of the console of one run.'),
  FILES_ROOT: z
    .string()
    .optional()
    .describe('Folder of the worker that `files.changed` may look into, of every workspace. Absent: none.'),
  POLL_TIMEOUT_MS: ms.default(60_000).describe('Time of one look of a poll trigger.'),
  POLL_MAX_ITEMS: z.coerce.number().int().positive().default(5_000).describe('Most items that one look may find.'),
  POLL_SEEN_KEYS: z.coerce
    .number()
    .int()
    .positive()
    .default(20_000)
    .describe('Keys that a poll trigger remembers beside those that are there now; the oldest go.'),
  ENABLE_TESTING_APP: flag.default(false).describe('Adds the app `testing` to the catalogue.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least level that is logged.'),
});

export type Config = z.output<typeof SETTINGS>;

/** Reads the environment once. Throws one error that names every wrong setting and what was expected. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = SETTINGS.safeParse(present);
  if (parsed.success && parsed.data.SSO_PROVIDERS.length > 0 && parsed.data.CLIENT_URL === undefined) {
    throw new Error('The environment is not valid:\n  CLIENT_URL: required where SSO_PROVIDERS has a provider');
  }
  if (parsed.success && parsed.data.SMTP_URL !== undefined && parsed.data.CLIENT_URL === undefined) {
    throw new Error(
      'The environment is not valid:\n  CLIENT_URL: required where SMTP_URL is set: links in e-mails lead there',
    );
  }
  const idle = parsed.success ? parsed.data.SESSION_IDLE_TIMEOUT : undefined;
  if (parsed.success && idle !== undefined && idle <= parsed.data.ACCESS_TOKEN_TTL) {
    throw new Error(
      'The environment is not valid:\n  SESSION_IDLE_TIMEOUT: expected longer than ACCESS_TOKEN_TTL: sessions are seen to be in use by the access tokens that they ask for',
    );
  }
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The environment is not valid:\n${lines.join('\n')}`);
}
