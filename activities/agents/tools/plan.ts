import type { UIMessage } from 'ai';
import { argumentProblems } from '../../../domain/agent/argumentProblems.ts';
import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { isPlanApproved, plans } from '../../../domain/agent/plan.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { PLAN_TOOL } from '../../../domain/agent/toolNames.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

const MAX_STEPS = 50;

const INPUT: JsonObject = {
  type: 'object',
  properties: {
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_STEPS,
      items: {
        type: 'object',
        properties: {
          title: { type: 'string', pattern: '\\S', maxLength: 500 },
          status: { type: 'string', enum: ['open', 'underWay', 'done', 'dropped'], default: 'open' },
        },
        required: ['title'],
        additionalProperties: false,
      },
    },
  },
  required: ['steps'],
  additionalProperties: false,
};

const FIRST = 'a plan comes first: call plan alone, and go on when a person has approved it';

export function planTools(definition: AgentDefinition): OfferedTool[] {
  if (!plans(definition)) return [];
  const { requirePlanApproval, enabledToolPolicies } = definition;
  return [
    {
      name: PLAN_TOOL,
      description: `The steps by which you answer. Begin with it, and call it again with all steps when some of them are done or others are needed.${requirePlanApproval ? ' A person approves the first plan.' : ''}`,
      inputSchema: INPUT,
      kind: 'plan',
      policy: requirePlanApproval ? 'approve' : (enabledToolPolicies[PLAN_TOOL] ?? 'auto'),
      problems: (input) => argumentProblems(INPUT, input),
    },
  ];
}

/** Without an approved plan in the message, no other tool may be called. Afterwards the plan may still be updated. */
export function withApprovedPlan(
  tools: readonly OfferedTool[],
  { requirePlanApproval }: AgentDefinition,
  message: Pick<UIMessage, 'parts'>,
): readonly OfferedTool[] {
  if (!requirePlanApproval) return tools;
  const isApproved = isPlanApproved(message);
  return tools.map((tool): OfferedTool => {
    if (tool.name === PLAN_TOOL) return isApproved ? { ...tool, policy: 'auto' } : tool;
    return isApproved ? tool : { ...tool, problems: () => [FIRST] };
  });
}

/** The plan is its own result: clients show it, and the model reads it again. */
export async function acceptPlan(_services: ActivityServices, { input }: ToolToRun): Promise<AcceptedTool> {
  return { kind: 'done', output: input };
}
