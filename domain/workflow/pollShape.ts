import { createHash } from 'node:crypto';
import { type Catalogue, findTrigger } from '../app/manifest.ts';
import { holdsExpression } from '../expression/template.ts';
import type { JsonObject } from '../json.ts';
import { checkInputs } from './actionInputs.ts';
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
  checkTrigger(poll, shape, catalogue, problems);
  shape.refuseOthers('the config of a poll');
  return { id: TRIGGER_ID, type: 'poll', config: poll };
}

function checkTrigger(
  { appId, triggerId, inputs = {} }: PollConfig,
  shape: Shape,
  catalogue: Catalogue,
  problems: Problems,
): void {
  if (!shape.has('appId')) {
    shape.problem('appId', 'required: the id of the app whose trigger is polled');
    return;
  }
  const app = catalogue.get(appId);
  if (app === undefined) {
    const polled = [...catalogue.values()].filter(({ triggers }) => triggers.length > 0).map((one) => one.appId);
    shape.problem('appId', `there is no app ${JSON.stringify(appId)}, expected one of ${polled.join(', ')}`);
    return;
  }
  if (!shape.has('triggerId')) {
    shape.problem('triggerId', `required: the id of a trigger of the app ${appId}`);
    return;
  }
  const trigger = findTrigger(catalogue, appId, triggerId);
  if (trigger === undefined) {
    const known = app.triggers.map((one) => one.triggerId).join(', ') || 'none: it has no triggers';
    shape.problem(
      'triggerId',
      `the app ${appId} has no trigger ${JSON.stringify(triggerId)}, expected one of ${known}`,
    );
    return;
  }
  const place = shape.place('inputs');
  // Before the first step there are no values that an expression could read.
  if (holdsExpression(inputs)) problems.add(place, 'expected a value: triggers cannot use expressions');
  else checkInputs(inputs, trigger, place, (path, message) => problems.add(path, message));
}

export function pollSource({ appId, triggerId, inputs = {}, connectionId }: PollConfig): string {
  const source = canonicalJson({ appId, triggerId, inputs, connectionId: connectionId ?? null });
  return createHash('sha256').update(source).digest('hex').slice(0, 32);
}
