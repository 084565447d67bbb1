import { z } from 'zod';
import { ms, webUrl } from './values.ts';

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'expected postgresql://user:password@host/database');

const deploymentText = z.string().regex(/^[\w-][\w.-]{0,99}$/, 'expected letters, digits, _, - and points');

export const SERVER_SETTINGS = {
  DATABASE_URL: postgresUrl.optional().describe('Postgres with pgvector. Absent: `npm start` embeds PGlite.'),
  DATABASE_LISTEN_URL: postgresUrl
    .optional()
    .describe(
      'The same Postgres without a pooler, for LISTEN and for migrations, if DATABASE_URL is a pooler that gives each transaction another connection (PgBouncer with `pool_mode = transaction`). See docs/operations.md.',
    ),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).default(10).describe('Connections to Postgres per process.'),
  DATABASE_STATEMENT_TIMEOUT_MS: ms
    .default(60_000)
    .describe(
      'Maximum time of a statement, except in migrations and on PGlite, which lets it finish. Postgres cancels a longer one; without an answer one second later the process treats the database as unavailable.',
    ),
  DATABASE_PREPARED_STATEMENTS: z.coerce
    .number()
    .int()
    .min(0)
    .default(256)
    .describe(
      'Repeated statements that each connection keeps prepared, so that the database does not parse and plan them again. 0: none, for a pooler between process and Postgres that gives each statement another connection.',
    ),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+$/, 'expected host:port, without a scheme')
    .optional()
    .describe('Temporal server, host:port. Absent: `npm start` embeds one.'),
  TEMPORAL_NAMESPACE: z.string().default('default').describe('Temporal namespace.'),
  TEMPORAL_DATABASE_URL: postgresUrl
    .optional()
    .describe("Temporal's own database on Postgres, only for `npm run admin -- backup` and `restore`: docs/backup.md."),
  TEMPORAL_VISIBILITY_DATABASE_URL: postgresUrl
    .optional()
    .describe("Temporal's visibility database, for the same two commands."),
  TEMPORAL_UI_URL: webUrl
    .optional()
    .describe(
      'Address of the Temporal UI, for links to executions. Absent: `npm start` uses that of the server that it embeds; other deployments show none.',
    ),
  TEMPORAL_TASK_QUEUE: z
    .string()
    .default('perdure')
    .describe(
      'Task queue of executions and their actions. The task queue `<name>-overflow` takes the actions of workspaces that have many.',
    ),
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'expected letters, digits, _ and -')
    .optional()
    .describe(
      'Name of the worker deployment, which lets Temporal distinguish builds of workers: new tasks go to the build that `npm run admin -- builds use` names, and to no worker before one is named. Absent: any worker gets any task (docs/upgrade.md).',
    ),
  TEMPORAL_WORKER_BUILD_ID: deploymentText
    .optional()
    .describe(
      'Name of this build of a worker there, such as the tag of its image. Required with TEMPORAL_DEPLOYMENT_NAME.',
    ),
  TEMPORAL_CALL_TIMEOUT_MS: ms
    .default(2_000)
    .describe('Deadline of each call to the Temporal server during a request.'),
};
