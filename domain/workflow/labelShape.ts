import { LABEL_KEY, MAX_LABEL_LENGTH, MAX_LABELS } from '../execution/labels.ts';
import { compileValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import type { Problems } from './problems.ts';
import { Shape } from './shape.ts';

const MAX_SOURCE_LENGTH = 2_000;

export function readLabels(outer: Shape, problems: Problems): Record<string, string> | undefined {
  const members = outer.object('labels');
  if (members === undefined) return undefined;
  const keys = Object.keys(members);
  if (keys.length > MAX_LABELS) {
    outer.problem('labels', `${keys.length} labels, at most ${MAX_LABELS} are allowed`);
    return undefined;
  }
  const shape = new Shape(members, outer.place('labels'), problems);
  const labels: [string, string][] = [];
  for (const key of keys) {
    if (!LABEL_KEY.test(key)) shape.problem(key, 'a key has 1 to 64 letters, digits, _ and -');
    const text = shape.text(key, MAX_SOURCE_LENGTH);
    if (text === undefined) continue;
    checkText(key, text, shape);
    labels.push([key, text]);
  }
  return labels.length === 0 ? undefined : Object.fromEntries(labels);
}

/** Only the trigger is known before the start. */
function checkText(key: string, text: string, shape: Shape): void {
  if (!text.includes('{{')) {
    if (text.length > MAX_LABEL_LENGTH) shape.problem(key, `expected text of 1 to ${MAX_LABEL_LENGTH} characters`);
    return;
  }
  try {
    const { allSteps, steps, allVariables, variables, loop, now } = compileValue(text).references;
    if (!allSteps && steps.size === 0 && !allVariables && variables.size === 0 && !loop && !now) return;
    shape.problem(key, 'expected only trigger: steps, variables, loops and now do not exist before the start');
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    shape.problem(key, error.message);
  }
}
