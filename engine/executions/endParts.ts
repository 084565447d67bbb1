import type { Database } from '../../prisma/client.ts';
import type { Engine } from '../engine.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import type { Releaser } from './releaser.ts';

export interface EndParts {
  database: Database;
  engine: Engine;
  feed: ChangeFeed;
  releaser: Releaser;
}
