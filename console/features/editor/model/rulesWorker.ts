import '../../../shims/provideBuffer.ts';
import type { Catalogue } from '../../../../domain/app/manifest.ts';
import { compileValue } from '../../../../domain/expression/compiledValue.ts';
import { ExpressionError } from '../../../../domain/expression/expressionError.ts';
import { CEL_FUNCTIONS } from '../../../../domain/expression/functions/table.ts';
import { MAX_MADE_BYTES, MAX_WORK, Meter, metered } from '../../../../domain/expression/meter.ts';
import { atTime } from '../../../../domain/expression/neededScope.ts';
import type { Scope } from '../../../../domain/expression/scope.ts';
import type { Json } from '../../../../domain/json.ts';
import { readRules } from '../../../../domain/rule/readRules.ts';
import { validateDefinition } from '../../../../domain/workflow/validate.ts';
import type { Evaluated, RulesMessage, RulesReply } from './rules.ts';

// Runs the engine's rules off the main thread, so that they never delay typing.

/** The API's settings limit the size of definitions, and the API validates them, too. */
const LIMITS = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxExpressions: Number.POSITIVE_INFINITY,
};
const MAX_MS = 1_000;

let catalogue: Catalogue = new Map();
let given: { name: string; scope: Scope } | undefined;

function evaluate(value: Json, name: string): Evaluated {
  // Another form is shown by now, so this answer is not used.
  if (given?.name !== name) return { problem: '' };
  const { scope } = given;
  try {
    const compiled = compileValue(value);
    const clock = { now: () => performance.now(), timeMs: MAX_MS };
    const meter = new Meter({ work: MAX_WORK, resultBytes: MAX_MADE_BYTES, clock });
    return { value: metered(meter, () => compiled.evaluate(atTime(compiled.references, scope, new Date()))) };
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.message };
    throw error;
  }
}

function answerTo(message: Exclude<RulesMessage, { give: string }>): unknown {
  switch (message.ask) {
    case 'validate':
      return validateDefinition(message.definition, { catalogue, limits: LIMITS }).problems;
    case 'evaluate':
      return evaluate(message.value, message.scope);
    case 'functions':
      return CEL_FUNCTIONS.map(({ name, signature, doc }) => ({ name, signature, doc }));
    case 'rules':
      return readRules(message.expression) ?? null;
  }
}

addEventListener('message', ({ data }: MessageEvent<RulesMessage>) => {
  if ('give' in data) {
    if (data.give === 'catalogue') catalogue = new Map(data.apps.map((app) => [app.appId, app]));
    else given = { name: data.name, scope: data.scope };
    return;
  }
  const reply: RulesReply = { id: data.id, answer: answerTo(data) };
  postMessage(reply);
});
