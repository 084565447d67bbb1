import type { Catalogue } from '../app/manifest.ts';
import { canonicalFields, checkFields } from '../fieldDeclaration.ts';
import { kindOfJson } from '../fieldType.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { TRIGGER_ID, TRIGGER_TYPES, type TriggerNode } from './definition.ts';
import { readPoll } from './pollShape.ts';
import type { Problems } from './problems.ts';
import { readQueue } from './queueShape.ts';
import { readSchedule } from './scheduleShape.ts';
import { Shape } from './shape.ts';
import { readWebhook } from './webhookShape.ts';

/** The default is manual. */
export function readTrigger(candidate: unknown, catalogue: Catalogue, problems: Problems): TriggerNode {
  const manual: TriggerNode = { id: TRIGGER_ID, type: 'manual', config: {} };
  if (candidate === undefined || candidate === null) return manual;
  if (!isJsonObject(candidate)) {
    problems.add('trigger', `expected an object, got ${kindOfJson(candidate)}`);
    return manual;
  }
  const shape = new Shape(candidate, 'trigger', problems);
  if (shape.has('id') && shape.take('id') !== TRIGGER_ID) shape.problem('id', `expected ${TRIGGER_ID}`);
  shape.object('position');
  shape.text('name', 200);
  const config = shape.object('config') ?? {};
  const trigger = readTyped(shape, config, catalogue, problems) ?? manual;
  shape.refuseOthers('a trigger');
  return trigger;
}

function readTyped(
  shape: Shape,
  config: JsonObject,
  catalogue: Catalogue,
  problems: Problems,
): TriggerNode | undefined {
  const type = shape.take('type');
  if (type === undefined) shape.problem('type', `required: expected one of ${TRIGGER_TYPES.join(', ')}`);
  switch (shape.oneOf('type', TRIGGER_TYPES)) {
    case 'manual':
      return readManual(config, problems);
    case 'webhook':
      return readWebhook(config, catalogue, problems);
    case 'schedule':
      return readSchedule(config, problems);
    case 'poll':
      return readPoll(config, catalogue, problems);
    case 'queue':
      return readQueue(config, problems);
    default:
      return undefined;
  }
}

function readManual(config: JsonObject, problems: Problems): TriggerNode {
  const shape = new Shape(config, 'trigger.config', problems);
  const fields = shape.list('fields');
  const wrong = fields === undefined ? [] : checkFields(fields, 'trigger.config.fields');
  problems.all.push(...wrong);
  shape.refuseOthers('the config of a manual trigger');
  const canonical =
    fields !== undefined && wrong.length === 0 ? { fields: canonicalFields(fields as JsonObject[]) } : {};
  return { id: TRIGGER_ID, type: 'manual', config: canonical };
}
