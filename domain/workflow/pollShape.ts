import { createHash } from 'node:crypto';
import type { Catalogue } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { checkAppTrigger } from './appTrigger.ts';
import { canonicalJson } from './canonical.ts';
import { type PollConfig, START_WITH, TRIGGER_ID, type TriggerNode } from './definition.ts';
import { memberIfPresent } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { readEveryMs } from './scheduleShape.ts';
import { Shape } from './shape.ts';

export function readPoll(config: JsonObject, catalogue: Catalogue, problems: Problems): TriggerNode {
  const shape = new Shape(config, 'trigger.config', problems);
  const everyMs = readEveryMs(shape);
  if (!shape.has('everyMs')) shape.problem('everyMs', 'required: how often to poll, in milliseconds');
  const inputs = shape.object('inputs');
  const poll: PollConfig = {
    appId: shape.text('appId', 200) ?? '',
    triggerId: shape.text('triggerId', 200) ?? '',
    everyMs: everyMs ?? 0,
    ...memberIfPresent('inputs', inputs),
    ...memberIfPresent('connectionId', shape.text('connectionId', 200)?.toLowerCase()),
    ...memberIfPresent('startWith', shape.oneOf('startWith', START_WITH)),
  };
  checkAppTrigger(poll, 'poll', { shape, catalogue, problems });
  shape.refuseOthers('the config of a poll');
  return { id: TRIGGER_ID, type: 'poll', config: poll };
}

export function pollSource({ appId, triggerId, inputs = {}, connectionId }: PollConfig): string {
  const source = canonicalJson({ appId, triggerId, inputs, connectionId: connectionId ?? null });
  return createHash('sha256').update(source).digest('hex').slice(0, 32);
}
