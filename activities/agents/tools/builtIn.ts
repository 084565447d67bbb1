import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { type BuiltInTool, isBuiltIn } from '../../../domain/agent/toolNames.ts';
import { ExpressionError } from '../../../domain/expression/expressionError.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_EXPRESSION_LENGTH = 2_000;

interface Caller {
  services: Pick<ActivityServices, 'evaluation'>;
  workspaceId: string;
}

interface BuiltIn extends Pick<OfferedTool, 'description' | 'inputSchema' | 'problems'> {
  run(input: JsonObject, by: Caller): AcceptedTool | Promise<AcceptedTool>;
}

const TOOLS: Readonly<Record<BuiltInTool, BuiltIn>> = {
  current_time: {
    description: 'Tells the date and the time, in UTC and in a time zone.',
    inputSchema: {
      type: 'object',
      properties: { timeZone: { type: 'string', description: 'Such as Europe/Berlin; default: UTC' } },
      additionalProperties: false,
    },
    problems: ({ timeZone = 'UTC', ...more }) => [
      ...(isTimeZone(timeZone) ? [] : ['timeZone: expected a time zone such as Europe/Berlin']),
      ...Object.keys(more).map((key) => `${key}: unknown key, expected timeZone`),
    ],
    run: ({ timeZone = 'UTC' }) => ({ kind: 'done', output: timeIn(String(timeZone), new Date()) }),
  },
  calculate: {
    description:
      'Evaluates an expression of the language CEL: numbers, texts, lists, times, e.g. round(17.5 * 3 / 7 * 100) / 100, [1, 2, 4].sum(), or timestamp("2026-11-21T00:00:00Z") + duration("36h").',
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', maxLength: MAX_EXPRESSION_LENGTH } },
      required: ['expression'],
      additionalProperties: false,
    },
    problems: ({ expression, ...more }) => [
      ...(typeof expression === 'string' && expression.trim() !== '' && expression.length <= MAX_EXPRESSION_LENGTH
        ? []
        : [`expression: expected a text of 1 to ${MAX_EXPRESSION_LENGTH} characters`]),
      ...Object.keys(more).map((key) => `${key}: unknown key, expected expression`),
    ],
    run: ({ expression }, by) => calculated(String(expression), by),
  },
};

export function builtInTools({ enabledBuiltInTools, enabledToolPolicies }: AgentDefinition): OfferedTool[] {
  return enabledBuiltInTools.filter(isBuiltIn).map((name) => {
    const { run: _, ...tool } = TOOLS[name];
    return { ...tool, name, kind: 'builtIn', policy: enabledToolPolicies[name] ?? 'auto' };
  });
}

export async function acceptBuiltIn(
  services: ActivityServices,
  { workspaceId, name, input }: ToolToRun,
): Promise<AcceptedTool> {
  return isBuiltIn(name)
    ? TOOLS[name].run(input, { services, workspaceId })
    : { kind: 'refused', error: 'The agent no longer has this tool' };
}

function isTimeZone(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function timeIn(timeZone: string, now: Date): JsonObject {
  const local = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(now);
  return { utc: now.toISOString(), timeZone, local };
}

/** The expression may read only functions and the time, because there is no execution. */
async function calculated(expression: string, { services, workspaceId }: Caller): Promise<AcceptedTool> {
  const scope = {
    ...{ trigger: null, steps: {}, variables: {} },
    execution: { id: '', number: 0, startedAt: '', workflowId: '', workflowName: '' },
    now: new Date().toISOString(),
  };
  try {
    return { kind: 'done', output: await services.evaluation.expression(workspaceId, expression, scope) };
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RangeError)
      return { kind: 'refused', error: error.message };
    throw error;
  }
}
