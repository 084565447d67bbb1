import type { AgentDefinition } from '../../../domain/agent/definition.ts';
import { fieldsSchema } from '../../../domain/agent/fieldSchema.ts';
import type { OfferedTool } from '../../../domain/agent/tool.ts';
import { workflowToolNames } from '../../../domain/agent/toolNames.ts';
import { checkFieldValues } from '../../../domain/fieldValues.ts';
import { startInput } from '../../../domain/workflow/startInput.ts';
import { type StartableWorkflow, startableWorkflows } from '../../../prisma/store/workflow/startableWorkflows.ts';
import { acceptChild } from '../../execution/acceptChild.ts';
import type { ActivityServices } from '../../services.ts';
import type { AcceptedTool, ToolToRun } from './toolToRun.ts';

export interface WorkflowTool extends OfferedTool {
  workflow: StartableWorkflow;
}

export async function workflowTools(
  { database }: ActivityServices,
  workspaceId: string,
  { workflowIds, enabledToolPolicies }: AgentDefinition,
): Promise<WorkflowTool[]> {
  const workflows = await startableWorkflows(database, workspaceId, workflowIds);
  const names = workflowToolNames(workflows);
  return workflows.map((workflow): WorkflowTool => {
    const { id, description, trigger } = workflow;
    const fields = trigger.type === 'manual' ? (trigger.config.fields ?? []) : [];
    const name = names.get(id) ?? id;
    return {
      name,
      description: `Workflow ${workflow.name}${description === null ? '' : `: ${description}`}`,
      inputSchema: fieldsSchema(fields),
      kind: 'workflow',
      policy: enabledToolPolicies[name] ?? 'auto',
      problems: (input) =>
        checkFieldValues(fields, input, 'reject').problems.map(({ path, message }) => `${path}: ${message}`),
      workflow,
      bound: { workflowId: id },
    };
  });
}

export async function acceptWorkflow(services: ActivityServices, call: ToolToRun): Promise<AcceptedTool> {
  const { workspaceId, runId, toolCallId, definition: agent, input } = call;
  const tool = (await workflowTools(services, workspaceId, agent)).find(({ name }) => name === call.name);
  if (!tool) return { kind: 'refused', error: 'The agent no longer has this tool, or its workflow is not active' };
  const started = startInput(tool.workflow.trigger, input, new Date());
  if (!started.trigger) {
    const why = started.refusal ?? started.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    return { kind: 'refused', error: `The workflow cannot be started this way: ${why}` };
  }
  const executionId = services.executionIds(runId, toolCallId);
  const origin = { startedBy: 'agent' as const, requestId: runId };
  const child = { workspaceId, workflowId: tool.workflow.id, executionId, trigger: started.trigger, ...origin };
  const accepted = await acceptChild(services, child);
  return accepted.kind === 'accepted'
    ? { kind: 'execution', start: accepted.start }
    : { kind: 'refused', error: accepted.message };
}
