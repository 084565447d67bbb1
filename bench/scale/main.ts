import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { fanOut } from './fanOut.ts';
import { emptyLoop, longLoop, quickLoop, remoteLoop } from './longLoops.ts';
import { neighbours, slowNeighbours } from './neighbours.ts';
import { retriedLoop } from './retriedLoop.ts';
import { ScaleStack } from './scaleStack.ts';
import { waiting } from './waiting.ts';

// `npm run scale` runs many executions and prints each stage's figures as JSON lines. Fails if one ends wrongly.

const { values: options } = parseArgs({
  options: {
    /** Stages to run, in this order; may be repeated. */
    stage: {
      type: 'string',
      multiple: true,
      default: ['waiting', 'fanOut', 'loops', 'retriedLoop', 'neighbours', 'slowNeighbours', 'bundle'],
    },
    waiting: { type: 'string', default: '2000' },
    items: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '100' },
    iterations: { type: 'string', default: '100000' },
    'remote-iterations': { type: 'string', default: '20000' },
    'retried-iterations': { type: 'string', default: '10000' },
    starts: { type: 'string', default: '10000' },
    resources: { type: 'string', default: '500' },
    'slow-starts': { type: 'string', default: '600' },
  },
});

const STAGES: Record<string, (scale: ScaleStack) => Promise<void>> = {
  waiting: (scale) => waiting(scale, Number(options.waiting)),
  retriedLoop: (scale) => retriedLoop(scale, Number(options['retried-iterations'])),
  neighbours: (scale) => neighbours(scale, Number(options.starts)),
  slowNeighbours: (scale) => slowNeighbours(scale, Number(options['slow-starts'])),
  fanOut: (scale) => fanOut(scale, Number(options.items), Number(options.concurrency)),
  bundle: (scale) => bundle(scale, Number(options.resources)),
  async loops(scale) {
    await longLoop(scale, 'scale-empty-loop', emptyLoop(Number(options.iterations)));
    await longLoop(scale, 'scale-quick-loop', quickLoop(Number(options.iterations)));
    await longLoop(scale, 'scale-remote-loop', remoteLoop(Number(options['remote-iterations'])));
  },
};

const stages = options.stage.map((name) => {
  const run = STAGES[name];
  if (!run) throw new Error(`--stage ${name}: expected one of ${Object.keys(STAGES).join(', ')}`);
  return run;
});

const folder = await mkdtemp(join(tmpdir(), 'perdure-scale-'));
let scale: ScaleStack | undefined;
try {
  scale = await ScaleStack.start(folder);
  for (const run of stages) await run(scale);
} finally {
  await scale?.stop();
  await rm(folder, { recursive: true, force: true });
}
