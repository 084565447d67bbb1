import { holdsExpression, isOneExpression } from '../expression/template.ts';
import { checkFields } from '../fieldDeclaration.ts';
import { kindOfJson, unknownKey } from '../fieldType.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { textAsExpression, textsAsExpressions } from './check/expressionAsText.ts';
import {
  isCollection,
  isTime,
  isWhole,
  MAX_MS,
  MAXIMUM_APPROVALS,
  MAXIMUM_CONCURRENCY,
  MAXIMUM_ITERATIONS,
} from './controlLimits.ts';
import type { Node, NodeType } from './definition.ts';
import { headerNameProblem, headerValueProblem } from './headerRules.ts';
import type { PlacedNode } from './nodeShape.ts';
import type { Problems } from './problems.ts';
import { EXPECTED_SUBMITTERS, isSubmitters, submittersProblems } from './submitters.ts';

type ControlType = Exclude<NodeType, 'action'>;
type Report = (path: string, message: string, more?: Omit<ProblemDetail, 'path' | 'message'>) => void;

export interface Allowances {
  /** Webhook responses may be JavaScript. */
  mayScript?: boolean;
}

interface ControlInput {
  required: boolean;
  expected: string;
  /** Null is a valid value. For other inputs it counts as absent. */
  takesNull?: true;
  holds: (value: Json) => boolean;
  /** Checks inside a value of which only parts are expressions. */
  inside?: (value: Json, path: string, report: Report, inputs: JsonObject, allows: Allowances) => void;
  literal?: string;
}

const text: Omit<ControlInput, 'required'> = { expected: 'text', holds: (value) => typeof value === 'string' };
const anything: Omit<ControlInput, 'required'> = { expected: 'a value', takesNull: true, holds: () => true };
const flag: Omit<ControlInput, 'required'> = {
  expected: 'true or false',
  holds: (value) => typeof value === 'boolean',
};
const decision: Omit<ControlInput, 'required'> = {
  expected: 'true, false or an expression',
  holds: (value) => typeof value === 'boolean',
};

const keepOutputs: ControlInput = {
  required: false,
  ...flag,
  literal: 'other steps are checked against it, so an expression cannot give it',
};

function whole(least: number, most: number, unit = ''): Omit<ControlInput, 'required'> {
  return {
    expected: `a whole number${unit} from ${least} to ${most}`,
    holds: (value) => isWhole(value, least, most),
  };
}

const ALTERNATIVES: Partial<Record<ControlType, readonly string[]>> = {
  repeat: ['times', 'while', 'until'],
  delay: ['forMs', 'until'],
  runWorkflow: ['workflowId', 'slug'],
};

const INPUTS: Readonly<Record<ControlType, Readonly<Record<string, ControlInput>>>> = {
  condition: { condition: { required: true, ...decision } },
  switch: {
    value: { required: false, ...anything },
    cases: {
      ...{ required: true, expected: 'a list of cases', holds: Array.isArray, inside: checkCases },
      literal: 'the edges name the cases, so an expression cannot give them',
    },
  },
  input: {
    fields: { required: true, expected: 'a list of fields', holds: Array.isArray, inside: checkFormFields },
    instructions: { required: false, ...text },
    title: { required: false, ...text },
    expiresInMs: { required: false, ...whole(1, MAX_MS, ' of milliseconds') },
    approvals: {
      required: false,
      expected: `a whole number from 1 to ${MAXIMUM_APPROVALS}, or {required}`,
      holds: (value) => isJsonObject(value) || isWhole(value, 1, MAXIMUM_APPROVALS),
      inside: checkApprovals,
    },
    submitters: { required: false, expected: EXPECTED_SUBMITTERS, holds: isSubmitters, inside: checkSubmitters },
    excludeStarter: { required: false, ...flag },
  },
  forEach: {
    items: { required: true, expected: 'a list, an object or an expression', holds: isCollection },
    concurrency: { required: false, ...whole(1, MAXIMUM_CONCURRENCY) },
    onItemError: {
      required: false,
      expected: 'stop or continue',
      holds: (value) => value === 'stop' || value === 'continue',
    },
    keepOutputs,
  },
  repeat: {
    times: { required: false, ...whole(0, MAXIMUM_ITERATIONS) },
    while: { required: false, ...decision },
    until: { required: false, ...decision },
    maximumIterations: { required: false, ...whole(1, MAXIMUM_ITERATIONS) },
    pauseMs: { required: false, ...whole(0, MAX_MS, ' of milliseconds') },
    keepOutputs,
  },
  delay: {
    forMs: { required: false, ...whole(0, MAX_MS, ' of milliseconds') },
    until: { required: false, expected: 'a time such as 2026-11-21T10:15:30Z', holds: isTime },
  },
  runWorkflow: {
    workflowId: { required: false, ...text },
    slug: { required: false, ...text },
    input: { required: false, expected: 'an object', holds: isJsonObject },
    wait: { required: false, ...flag },
  },
  respond: {
    status: {
      required: false,
      expected: 'a whole number from 200 to 599',
      holds: (value) => Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599,
    },
    headers: { required: false, expected: 'an object of texts', holds: isJsonObject, inside: checkHeaders },
    body: { required: false, ...anything },
    encoding: { required: false, expected: 'base64', holds: (value) => value === 'base64' },
  },
  stop: {
    outcome: {
      required: true,
      expected: 'completed or failed',
      holds: (value) => value === 'completed' || value === 'failed',
    },
    message: { required: false, ...text },
    output: { required: false, ...anything },
  },
};

export function checkControl({ node, path }: PlacedNode, problems: Problems, allows: Allowances): void {
  if (node.type === 'action') return;
  const known = INPUTS[node.type];
  const inputs = node.inputs ?? {};
  const report: Report = (place, message, more) => problems.report({ path: place, message, nodeId: node.id, ...more });
  const place = pathTo(path, 'inputs');
  for (const [key, input] of Object.entries(known)) {
    const value = ownMember(inputs, key);
    if (value !== undefined && value !== null)
      checkInput(input, value, { path: pathTo(place, key), report, inputs, allows });
    else if (input.required) report(pathTo(place, key), `required: expected ${input.expected}`);
  }
  for (const key of Object.keys(inputs)) {
    if (!Object.hasOwn(known, key)) report(pathTo(place, key), unknownKey(Object.keys(known)));
  }
  const ways = ALTERNATIVES[node.type];
  const given = ways?.filter((key) => inputs[key] !== undefined && inputs[key] !== null);
  if (given && given.length !== 1) {
    report(place, `expected exactly one of ${ways?.join(', ')}, got ${given.length === 0 ? 'none' : given.join(', ')}`);
  }
}

/** Returns the inputs in stored form, without nulls that count as absent. */
export function givenInputs({ type, inputs }: Node): JsonObject | undefined {
  if (type === 'action' || inputs === undefined) return inputs;
  const isGiven = ([key, value]: [string, Json]) => value !== null || INPUTS[type][key]?.takesNull === true;
  return Object.fromEntries(Object.entries(inputs).filter(isGiven));
}

function checkInput(
  input: ControlInput,
  value: Json,
  { path, report, inputs, allows }: { path: string; report: Report; inputs: JsonObject; allows: Allowances },
): void {
  const open = typeof value === 'string' && holdsExpression(value);
  if (open && (isOneExpression(value) || (input.holds('') && !input.takesNull))) {
    if (input.literal) report(path, `expected ${input.expected}: ${input.literal}`);
  } else if (!input.holds(value)) {
    reportKind(value, input.expected, path, report);
  } else {
    input.inside?.(value, path, report, inputs, allows);
    if (input.takesNull) {
      for (const { path: place, message, ...more } of textsAsExpressions(value, path)) report(place, message, more);
    }
  }
}

function reportKind(value: Json, expected: string, path: string, report: Report): void {
  const asText = textAsExpression(value, path);
  const { message, ...more } = asText ?? { message: `expected ${expected}, got ${kindOfJson(value)}` };
  report(path, message, more);
}

function checkApprovals(approvals: Json, path: string, report: Report): void {
  if (!isJsonObject(approvals)) return;
  const { required, ...others } = approvals;
  const open = typeof required === 'string' && isWholeExpression(required);
  if (!open && !isWhole(required as Json, 1, MAXIMUM_APPROVALS)) {
    report(pathTo(path, 'required'), `expected a whole number from 1 to ${MAXIMUM_APPROVALS}`);
  }
  for (const key of Object.keys(others)) report(pathTo(path, key), unknownKey(['required']));
}

function checkSubmitters(submitters: Json, path: string, report: Report): void {
  for (const problem of submittersProblems(submitters, path, 'expressions')) report(problem.path, problem.message);
}

const RESERVED_CASES: ReadonlySet<string> = new Set(['default', 'error']);
const MAX_CASES = 200;

function checkCases(cases: Json, path: string, report: Report, inputs: JsonObject): void {
  const list = cases as Json[];
  if (list.length === 0) report(path, 'expected at least one case');
  if (list.length > MAX_CASES) report(path, `${list.length} cases, at most ${MAX_CASES} are allowed`);
  const seen = new Map<string, string>();
  const condition = inputs.value === undefined ? WHEN : EQUALS;
  list.forEach((one, index) => {
    const place = pathTo(path, index);
    if (isJsonObject(one)) {
      checkCaseName(one.name, pathTo(place, 'name'), seen, report);
      checkCaseCondition(one, condition, place, report);
    } else {
      report(place, `expected {name, ${condition.key}}, got ${kindOfJson(one)}`);
    }
  });
}

/** The condition of a case, for a switch with a value and for one without. */
const EQUALS = {
  key: 'equals',
  missing: 'required together with value',
  other: { key: 'when', message: 'a switch with a value compares with equals' },
};
const WHEN = {
  key: 'when',
  missing: 'required if the switch has no value',
  other: { key: 'equals', message: 'equals needs a value to compare with' },
};

function checkCaseCondition(
  one: JsonObject,
  { key, missing, other }: typeof WHEN,
  place: string,
  report: Report,
): void {
  const condition = one[key];
  if (condition === undefined) report(pathTo(place, key), missing);
  else if (key === 'when' && typeof condition !== 'boolean' && !isWholeExpression(condition)) {
    reportKind(condition, 'true, false or an expression', pathTo(place, key), report);
  }
  for (const each of Object.keys(one)) {
    if (each === other.key) report(pathTo(place, each), other.message);
    else if (each !== 'name' && each !== key) report(pathTo(place, each), unknownKey(['name', key]));
  }
}

function isWholeExpression(value: Json): boolean {
  return typeof value === 'string' && holdsExpression(value) && isOneExpression(value);
}

function checkCaseName(name: Json | undefined, path: string, seen: Map<string, string>, report: Report): void {
  if (typeof name !== 'string' || name === '' || name.length > 100 || holdsExpression(name)) {
    report(path, 'expected text of 1 to 100 characters without expressions');
  } else if (RESERVED_CASES.has(name)) {
    report(path, `the name ${name} is reserved for a handle of every switch`);
  } else if (seen.has(name)) {
    report(path, `the name ${name} is already used at ${seen.get(name)}`);
  } else {
    seen.set(name, path);
  }
}

function checkFormFields(fields: Json, path: string, report: Report): void {
  for (const problem of checkFields(fields, path, 'expressions')) report(problem.path, problem.message);
}

function checkHeaders(
  headers: Json,
  path: string,
  report: Report,
  _inputs: JsonObject,
  { mayScript = false }: Allowances,
): void {
  for (const [name, value] of Object.entries(headers as JsonObject)) {
    const place = pathTo(path, name);
    const wrongName = headerNameProblem(name);
    if (wrongName !== undefined) report(place, wrongName);
    if (typeof value !== 'string' && typeof value !== 'number') {
      report(place, `expected text, got ${kindOfJson(value)}`);
    } else if (!holdsExpression(value)) {
      const wrongValue = headerValueProblem(name, String(value), mayScript);
      if (wrongValue !== undefined) report(place, wrongValue);
    }
  }
}
