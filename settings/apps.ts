import { z } from 'zod';
import { DEPLOYMENT_CLIENT } from '../domain/app/deploymentClient.ts';
import { QUEUE_GRANT } from '../domain/app/workerQueues.ts';
import { bytes, count, flag, jsonListByApp, listOfJson, ms, privateHosts, webUrl } from './values.ts';

export const APP_SETTINGS = {
  MAX_APPS: count.default(200).describe('Maximum apps of a workspace.'),
  MAX_APPS_BYTES: bytes
    .default(33_554_432)
    .describe('Maximum size of all apps of a workspace together, as JSON. Processes keep them in memory.'),
  MAX_APP_ACTIONS: count.default(1_000).describe('Maximum actions of an app of a workspace.'),
  MAX_APP_BYTES: bytes.default(4_194_304).describe('Maximum size of an app of a workspace, as JSON.'),
  MAX_APP_CONTENT_BYTES: bytes
    .default(5_242_880)
    .describe('Maximum size of an OpenAPI document or a bundle of code of an app.'),
  MAX_OPENAPI_YAML_CHARACTERS: count
    .default(1_048_576)
    .describe(
      'Maximum length of an OpenAPI document in YAML that the API imports. JSON is bounded by MAX_BULK_BODY_BYTES.',
    ),
  APP_IMPORT_TIMEOUT_MS: ms
    .default(20_000)
    .describe('Timeout of making an app of an OpenAPI document, which runs in a thread.'),
  MAX_APP_UPLOADS: count
    .default(100)
    .describe('Maximum documents and bundles of a workspace that no app names; they are deleted after a day.'),
  HTTP_ALLOWED_PRIVATE_HOSTS: privateHosts
    .default([])
    .describe(
      'Private hosts that apps, polls, MCP servers, model providers and deliveries of events may reach, comma separated, each `host[:port][@workspaceId][/app]`: for every workspace and app, or only for the given ones. Apps: `http`, `rss`, `postgres`, `openai`, `mcp`, `events`, `smtp`, `imap`, `mysql`, `s3`; the provider of OPENAI_BASE_URL needs no entry.',
    ),
  CONNECTION_CHECK_TIMEOUT_MS: ms
    .default(10_000)
    .describe('Timeout of the check that `connect` makes with new credentials, and of loading the options of a field.'),
  OAUTH2_CLIENTS: jsonListByApp(DEPLOYMENT_CLIENT)
    .default([])
    .describe(
      'OAuth2 clients that the deployment has at the providers of apps, a JSON list: `appId`, `clientId`, `clientSecret`, `scopes` (optional). Users then need no client of their own; never for `http`, whose addresses users choose.',
    ),
  GITHUB_URL: webUrl
    .optional()
    .describe(
      'Address of the GitHub that the app `github` uses: a GitHub Enterprise Server, or an enterprise at ghe.com. Default: https://github.com, and it needs no entry in HTTP_ALLOWED_PRIVATE_HOSTS.',
    ),
  SLACK_URL: webUrl
    .optional()
    .describe(
      'Address of the Slack that the app `slack` uses, such as https://slack-gov.com. Default: https://slack.com, and it needs no entry in HTTP_ALLOWED_PRIVATE_HOSTS.',
    ),
  OAUTH2_TIMEOUT_MS: ms
    .default(20_000)
    .describe(
      'Timeout of a request for tokens to the token endpoint of a provider, including both ways in which it may accept the secret.',
    ),
  OAUTH2_REFRESH_LEASE_MS: ms
    .default(30_000)
    .describe(
      'How long one worker may take to refresh access tokens before another one tries. Must be longer than OAUTH2_TIMEOUT_MS.',
    ),
  OAUTH2_REFRESH_BEFORE_MS: ms
    .default(60_000)
    .describe(
      'Access tokens that expire sooner, or within a tenth of their lifetime, are refreshed before they are used.',
    ),
  OAUTH2_AUTHORIZATION_TTL_MS: ms.default(600_000).describe('How long a user may take to authorize at a provider.'),
  RECONNECT_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .positive()
    .max(31_536_000_000)
    .default(604_800_000)
    .describe(
      'How long a step waits until its connection is authorized again; a node overrides it with `onReconnectTimeoutMs`.',
    ),
  WORKER_TASK_QUEUES: listOfJson(QUEUE_GRANT)
    .optional()
    .describe(
      "Task queues of customers' own workers that apps may name, a JSON list: `pattern` (`*` matches any characters), `workspaceId` (optional). Default: any queue but Perdure's own in a deployment with one workspace, none with several.",
    ),
  WORKER_INPUT_BYTES: bytes
    .max(1_048_576)
    .default(524_288)
    .describe(
      "Maximum inputs of one step on a customer's worker, as JSON. They are in Temporal's history; at most 1 MiB, because Temporal limits a payload to 2 MB.",
    ),
  WORKER_LOOK_INTERVAL_MS: ms
    .default(5_000)
    .describe("Pause between two looks for steps whose task queue no customer's worker polls."),
  POSTGRES_MAX_ROWS: count.default(10_000).describe('Maximum rows in the output of one step of `postgres`.'),
  POSTGRES_CLIENTS: count
    .default(10)
    .describe('Maximum connections of a worker to one database of the app `postgres`; further steps wait.'),
  MYSQL_MAX_ROWS: count.default(10_000).describe('Maximum rows in the output of one step of `mysql`.'),
  MYSQL_CLIENTS: count
    .default(10)
    .describe('Maximum connections of a worker to one database of the app `mysql`; further steps wait.'),
  SMTP_MAX_BYTES: bytes.default(10_485_760).describe('Maximum bytes of an e-mail of `smtp.send`.'),
  CODE_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('Threads of a worker for `code.javascript`, in addition to one for short runs.'),
  CODE_MAX_TIMEOUT_MS: ms.max(600_000).default(60_000).describe('Maximum time limit of `code.javascript`.'),
  CODE_MAX_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(4)
    .max(900)
    .default(256)
    .describe('Maximum memory limit of one run of `code.javascript`, in MiB.'),
  CODE_MAX_CONSOLE_BYTES: bytes
    .default(65_536)
    .describe('Maximum console output that is kept of one run of `code.javascript`.'),
  RUNNER: flag
    .default(true)
    .describe(
      'Runs functions and pieces, each app in a fenced child process of a worker, or of the API for options. Off: they are refused.',
    ),
  RUNNER_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(32)
    .max(16_384)
    .default(256)
    .describe('Maximum resident memory of the process of one app of functions or pieces, beyond its start, in MiB.'),
  RUNNER_PROCESSES: count
    .default(20)
    .describe(
      'Maximum processes of a worker, and of an API process, for functions and pieces, one for each app in use; a workspace gets at most half.',
    ),
  FILES_ROOT: z
    .string()
    .optional()
    .describe('Folder of the worker that the trigger `files.changed` may read, for every workspace. Absent: none.'),
  POLLS_AT_ONCE: count
    .default(50)
    .describe(
      'Polls of poll triggers that a worker runs concurrently; one workspace gets at most half. Further polls are tried again after up to 15 seconds.',
    ),
  POLL_TIMEOUT_MS: ms.default(60_000).describe('Timeout of one poll of a poll trigger.'),
  POLL_MAX_ITEMS: z.coerce.number().int().positive().default(5_000).describe('Maximum items that one poll may find.'),
  POLL_SEEN_KEYS: z.coerce
    .number()
    .int()
    .positive()
    .default(20_000)
    .describe(
      'Keys of past items that a poll trigger remembers in addition to the current ones; the oldest are forgotten.',
    ),
  ENABLE_TESTING_APP: flag.default(false).describe('Adds the app `testing` to the catalogue.'),
};
