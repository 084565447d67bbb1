import { LimitReached, MAX_MADE_BYTES, Meter, metered } from '../../expression/meter.ts';
import { holdsExpression } from '../../expression/template.ts';
import type { CompiledRules } from '../../object/compiledRules.ts';
import { INLINE_SCHEMA_BYTES } from '../../object/rules.ts';
import { inPath, pathTo } from '../../place.ts';
import type { PlacedNode } from '../nodeShape.ts';
import type { Problems } from '../problems.ts';
import { MAX_CHECK_WORK } from './entities.ts';

/** Rules of the items of queues (dataRules). */
export interface KnownQueues {
  /** Undefined for a queue without a dataSchema, and for one that the caller does not know. */
  rulesOf(queueId: string): Pick<CompiledRules, 'checkLiterals' | 'schemaLength'> | undefined;
}

/** Compares the literal data of `queue.add` steps with the dataSchema of their queues. */
export function checkQueueData(nodes: readonly PlacedNode[], queues: KnownQueues, problems: Problems): void {
  const meter = new Meter({ work: MAX_CHECK_WORK, resultBytes: MAX_MADE_BYTES });
  try {
    metered(meter, () => {
      for (const placed of nodes) checkNode(placed, queues, problems);
    });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
  }
}

function checkNode({ node, path }: PlacedNode, queues: KnownQueues, problems: Problems): void {
  const { queueId, data } = node.inputs ?? {};
  if (node.appId !== 'queue' || node.actionId !== 'add' || data === undefined || data === null) return;
  if (typeof queueId !== 'string' || holdsExpression(queueId)) return;
  const rules = queues.rulesOf(queueId.toLowerCase());
  if (rules === undefined || rules.schemaLength > INLINE_SCHEMA_BYTES) return;
  for (const { path: place, message } of rules.checkLiterals({ data }, { isPart: false }).errors) {
    const at = inPath(pathTo(path, 'inputs'), place.replace(/^attributes\.?/, ''));
    problems.report({ path: at, message, nodeId: node.id, code: 'QUEUE_DATA', severity: 'error' });
  }
}
