import { type Catalogue, findTrigger } from '../app/manifest.ts';
import { holdsExpression } from '../expression/template.ts';
import type { JsonObject } from '../json.ts';
import { checkInputs } from './actionInputs.ts';
import type { Problems } from './problems.ts';
import type { Shape } from './shape.ts';

interface NamedTrigger {
  appId?: string;
  triggerId?: string;
  inputs?: JsonObject;
}

/** Checks `appId`, `triggerId` and `inputs` of a trigger of this type; they are members of the shape. */
export function checkAppTrigger(
  { appId = '', triggerId = '', inputs = {} }: NamedTrigger,
  type: 'poll' | 'webhook',
  { shape, catalogue, problems }: { shape: Shape; catalogue: Catalogue; problems: Problems },
): void {
  const isPolled = type === 'poll';
  const triggersOf = (id: string) =>
    (catalogue.get(id)?.triggers ?? []).filter(({ webhook }) => (webhook === undefined) === isPolled);
  if (!shape.has('appId')) {
    shape.problem(
      'appId',
      `required: the id of the app whose trigger ${isPolled ? 'is polled' : 'reads the requests'}`,
    );
    return;
  }
  if (!catalogue.has(appId)) {
    const known = [...catalogue.keys()].filter((id) => triggersOf(id).length > 0).join(', ');
    shape.problem('appId', `there is no app ${JSON.stringify(appId)}, expected one of ${known}`);
    return;
  }
  if (!shape.has('triggerId')) {
    shape.problem('triggerId', `required: the id of a trigger of the app ${appId}`);
    return;
  }
  const named = `the app ${appId} has no trigger ${JSON.stringify(triggerId)}`;
  const trigger = findTrigger(catalogue, appId, triggerId);
  const known = triggersOf(appId).map((one) => one.triggerId);
  if (trigger === undefined || !known.includes(triggerId)) {
    const others = known.join(', ') || 'none: it has no triggers';
    const message =
      trigger === undefined
        ? `${named}, expected one of ${others}`
        : `${appId}.${triggerId} ${isPolled ? 'is sent by the app: expected the type webhook' : 'is polled: expected the type poll'}`;
    shape.problem('triggerId', message);
    return;
  }
  const place = shape.place('inputs');
  // Before the first step there are no values that an expression could read.
  if (holdsExpression(inputs)) problems.add(place, 'expected a value: triggers cannot use expressions');
  else checkInputs(inputs, trigger, place, (path, message) => problems.add(path, message));
}
