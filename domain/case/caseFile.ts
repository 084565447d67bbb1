import { z } from 'zod';
import { durationMs } from '../duration.ts';
import { EXECUTION_STATUSES } from '../execution/status.ts';
import { casePlace } from './casePlace.ts';

const NODE_NAME =
  'a node, `pay`; in one iteration of its loop, counted from 0, `pay[2]`; of another workflow, `alarm/tell`';
const place = z
  .string()
  .refine((text) => casePlace(text) !== undefined, { error: 'expected a node, such as pay, pay[2] or alarm/tell' })
  .describe(NODE_NAME);
const duration = z
  .string()
  .refine((text) => durationMs(text) !== undefined, { error: 'expected a duration, such as 90s, 1h30m or 3d' })
  .meta({ pattern: '^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$' })
  .describe('such as 90s, 1h30m or 3d');
const json = z.json();
const object = z.record(z.string(), json);

const mock = z
  .strictObject({
    output: json.optional().describe('the output of the step'),
    error: z
      .strictObject({
        code: z.string(),
        message: z.string().default(''),
        retryable: z.boolean().default(false).describe('the retries of the node apply'),
        retryAfterMs: z.int().min(0).optional(),
        details: object.optional(),
      })
      .optional()
      .describe('the step fails with it'),
  })
  .refine((given) => (given.output === undefined) !== (given.error === undefined), {
    error: 'expected either output or error',
  });

const event = z
  .strictObject({
    at: place.optional(),
    after: duration.optional(),
    answer: object.optional().describe('values of the question that `at` asks'),
    cancel: z.literal(true).optional().describe('somebody cancels the execution'),
  })
  .refine((given) => (given.answer === undefined) !== (given.cancel === undefined), {
    error: 'expected either answer or cancel',
  })
  .refine((given) => given.answer === undefined || given.at !== undefined, {
    error: "an answer needs `at`: the id of the question's node",
  });

const expectation = z.strictObject({
  status: z.enum(EXECUTION_STATUSES).optional(),
  path: z.array(z.string()).optional().describe('the steps that ran outside loops, in the order in which they began'),
  output: json.optional().describe('the whole output'),
  calls: z
    .record(place, z.array(object))
    .optional()
    .describe('for a node all its calls, in order; of each the members that matter. [] says: never called'),
  checks: z
    .array(z.string())
    .optional()
    .describe('expressions (CEL) over output, steps, calls, duration and error, each of which must be true'),
});

const oneCase = z.strictObject({
  name: z.string().min(1),
  input: json.optional().describe('the value of `trigger`'),
  now: z.iso.datetime({ offset: true }).optional().describe('the time of the start; from then on time is skipped'),
  variables: object.optional().describe('values of variables, over those of variables.yaml'),
  mocks: z
    .record(place, z.union([mock, z.array(mock).min(1)]))
    .optional()
    .describe('by node: the result of each attempt, or a list by attempt, whose last one repeats'),
  events: z.array(event).optional(),
  expect: expectation.default({}),
});

const CASE_FILE = z
  .strictObject({
    workflow: z.string().min(1).describe('slug of the workflow'),
    cases: z.array(oneCase).min(1),
  })
  .describe('Tests of a workflow: docs/testing-workflows.md');

export type CaseFile = z.output<typeof CASE_FILE>;
export type Case = CaseFile['cases'][number];
export type CaseEvent = NonNullable<Case['events']>[number];
export type Mock = z.output<typeof mock>;
export type Expectation = Case['expect'];

export function caseFileSchema(): object {
  return z.toJSONSchema(CASE_FILE, { io: 'input' });
}

export function caseFileProblems(value: unknown): { file?: CaseFile; problems: string[] } {
  const parsed = CASE_FILE.safeParse(value);
  if (parsed.success) return { file: parsed.data, problems: [] };
  return { problems: parsed.error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`) };
}

function placeOf(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : text === '' ? String(part) : `.${String(part)}`;
  return text === '' ? 'the file' : text;
}
