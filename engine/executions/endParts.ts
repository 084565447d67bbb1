import type { Database } from '../../prisma/client.ts';
import type { Engine } from '../engine.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import type { Releaser } from './releaser.ts';

/** Dependencies for ending an execution. */
export interface EndParts {
  database: Database;
  engine: Engine;
  feed: ChangeFeed;
  releaser: Releaser;
}
