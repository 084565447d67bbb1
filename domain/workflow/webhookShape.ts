import { compileValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import type { JsonObject } from '../json.ts';
import {
  type DuplicatesConfig,
  type HmacConfig,
  TRIGGER_ID,
  type TriggerNode,
  WEBHOOK_METHODS,
  type WebhookMethod,
} from './definition.ts';
import { duplicateKeyTemplate } from './duplicateKey.ts';
import { HEADER_NAME } from './headerRules.ts';
import { memberIfPresent } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const RESPONDS = ['immediately', 'whenFinished'] as const;
const HMAC_FORMATS = ['timestamped', 'body'] as const;
const SECRET_LENGTH = 1_000;
/** One day. A signature with a longer validity protects from nothing. */
const MAX_TOLERANCE_SECONDS = 86_400;
/** One week. Senders retry for three days at most. */
export const MAX_DUPLICATES_MS = 604_800_000;

export function readWebhook(config: JsonObject, problems: Problems): TriggerNode {
  const shape = new Shape(config, 'trigger.config', problems);
  const trigger: TriggerNode = {
    id: TRIGGER_ID,
    type: 'webhook',
    config: {
      ...memberIfPresent('methods', readMethods(shape)),
      ...memberIfPresent('respond', shape.oneOf('respond', RESPONDS)),
      ...memberIfPresent('secret', shape.text('secret', SECRET_LENGTH)),
      ...memberIfPresent('hmac', readHmac(shape, problems)),
      ...memberIfPresent('duplicates', readDuplicates(shape, problems)),
    },
  };
  shape.refuseOthers('the config of a webhook');
  return trigger;
}

/** Sorts them, because their order has no meaning. */
function readMethods(shape: Shape): WebhookMethod[] | undefined {
  const given = shape.list('methods');
  if (given === undefined) return undefined;
  const methods = WEBHOOK_METHODS.filter((method) => given.includes(method));
  if (methods.length === 0 || methods.length < given.length) {
    shape.problem('methods', `expected one or several of ${WEBHOOK_METHODS.join(', ')}, each once`);
  }
  return methods;
}

function readHmac(outer: Shape, problems: Problems): HmacConfig | undefined {
  const members = outer.object('hmac');
  if (members === undefined) return undefined;
  const shape = new Shape(members, outer.place('hmac'), problems);
  if (!shape.has('secret')) shape.problem('secret', 'required: expected the text that the sender signs with');
  const secret = shape.text('secret', SECRET_LENGTH) ?? '';
  const header = shape.text('header', 200);
  if (header !== undefined && !HEADER_NAME.test(header)) shape.problem('header', 'expected the name of a header');
  const format = shape.oneOf('format', HMAC_FORMATS);
  const toleranceSeconds = shape.number(
    'toleranceSeconds',
    `a whole number of seconds from 1 to ${MAX_TOLERANCE_SECONDS}`,
    (value) => Number.isInteger(value) && value >= 1 && value <= MAX_TOLERANCE_SECONDS,
  );
  if (toleranceSeconds !== undefined && format === 'body') {
    shape.problem('toleranceSeconds', 'a signature of the format body has no time: expected the format timestamped');
  }
  shape.refuseOthers('hmac');
  return {
    secret,
    ...memberIfPresent('header', header),
    ...memberIfPresent('format', format),
    ...memberIfPresent('toleranceSeconds', toleranceSeconds),
  };
}

function readDuplicates(outer: Shape, problems: Problems): DuplicatesConfig | undefined {
  const members = outer.object('duplicates');
  if (members === undefined) return undefined;
  const shape = new Shape(members, outer.place('duplicates'), problems);
  if (!shape.has('key')) shape.problem('key', 'required: expected an expression over trigger');
  const key = shape.text('key', 2_000);
  if (key !== undefined) checkKey(key, shape);
  const expected = `a whole number of milliseconds from 1 to ${MAX_DUPLICATES_MS}`;
  if (!shape.has('forMs')) shape.problem('forMs', `required: expected ${expected}`);
  const forMs = shape.number(
    'forMs',
    expected,
    (value) => Number.isInteger(value) && value >= 1 && value <= MAX_DUPLICATES_MS,
  );
  shape.refuseOthers('duplicates');
  return { key: key ?? '', forMs: forMs ?? 1 };
}

/** Only the request is known before the start. */
function checkKey(key: string, shape: Shape): void {
  try {
    const { allSteps, steps, allVariables, variables, loop, now, trigger } = compileValue(
      duplicateKeyTemplate(key),
    ).references;
    if (allSteps || steps.size > 0 || allVariables || variables.size > 0 || loop || now) {
      shape.problem('key', 'expected only trigger: steps, variables, loops and now do not exist before the start');
    } else if (!trigger) {
      shape.problem('key', 'this key is the same for every request: expected an expression over trigger');
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    shape.problem('key', error.message);
  }
}
