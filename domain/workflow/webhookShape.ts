import { type Catalogue, findTrigger } from '../app/manifest.ts';
import { compileValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import type { JsonObject } from '../json.ts';
import { checkAppTrigger } from './appTrigger.ts';
import {
  type DuplicatesConfig,
  HMAC_FORMATS,
  type HmacConfig,
  type HmacFormat,
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
const SECRET_LENGTH = 1_000;
/** One day. A signature with a longer validity protects from nothing. */
const MAX_TOLERANCE_SECONDS = 86_400;
/** One week. Senders retry for three days at most. */
export const MAX_DUPLICATES_MS = 604_800_000;

export function readWebhook(config: JsonObject, catalogue: Catalogue, problems: Problems): TriggerNode {
  const shape = new Shape(config, 'trigger.config', problems);
  if (shape.has('appId')) return readAppWebhook(shape, catalogue, problems);
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

/** The app decides about methods, answers and duplicates. */
function readAppWebhook(shape: Shape, catalogue: Catalogue, problems: Problems): TriggerNode {
  const appId = shape.text('appId', 200) ?? '';
  const triggerId = shape.text('triggerId', 200) ?? '';
  const inputs = shape.object('inputs');
  checkAppTrigger({ appId, triggerId, ...memberIfPresent('inputs', inputs) }, 'webhook', {
    ...{ shape, catalogue, problems },
  });
  const signature = findTrigger(catalogue, appId, triggerId)?.webhook?.signature;
  if (!shape.has('hmac')) shape.problem('hmac', 'required: the secret that signs the requests of this app');
  const hmac = readHmac(shape, problems, signature);
  shape.refuseOthers(`the webhook of an app's trigger`);
  const config = { appId, triggerId, ...memberIfPresent('inputs', inputs), ...memberIfPresent('hmac', hmac) };
  return { id: TRIGGER_ID, type: 'webhook', config };
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

/** `demanded`: the format of an app, which is the default then. */
function readHmac(outer: Shape, problems: Problems, demanded?: HmacFormat): HmacConfig | undefined {
  const members = outer.object('hmac');
  if (members === undefined) return undefined;
  const shape = new Shape(members, outer.place('hmac'), problems);
  if (!shape.has('secret')) shape.problem('secret', 'required: expected the text that the sender signs with');
  const secret = shape.text('secret', SECRET_LENGTH) ?? '';
  const header = shape.text('header', 200);
  if (header !== undefined && !HEADER_NAME.test(header)) shape.problem('header', 'expected the name of a header');
  const format = shape.oneOf('format', demanded === undefined ? HMAC_FORMATS : [demanded]) ?? demanded;
  if (header !== undefined && format === 'slack') shape.problem('header', 'Slack signs in headers of its own');
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
