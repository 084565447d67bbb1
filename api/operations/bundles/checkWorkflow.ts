import { need } from '../../../domain/access/stepPermissions.ts';
import { WORKFLOW_HEAD } from '../../../domain/bundle/defaults.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { isError, type ProblemDetail } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { HIDDEN_SECRET, holdsMask, unmaskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { wrongConnections } from '../workflows/connectionProblems.ts';
import { readDefinition } from '../workflows/readDefinition.ts';
import { besides, type Checked, type Checking, type GivenResource, overlaid, wrong } from './resourceCheck.ts';

export async function checkWorkflow(
  given: GivenResource,
  { services, apps, surroundings }: Checking,
): Promise<Checked> {
  const { body, stored, slug, id } = given;
  const trigger = unmaskTrigger(body.trigger, stored?.fields.trigger);
  const masked = maskProblems(trigger);
  if (masked.length > 0) return wrong(masked);
  const whole = trigger === undefined ? body : { ...body, trigger };
  const {
    validation,
    nodes,
    poll,
    needs: ofSteps,
    inBody,
  } = await readDefinition(whole, services, surroundings(given));
  const { definition } = validation;
  const misnamed = inBody(wrongConnections(nodes, poll, apps));
  const itself =
    typeof body.onFailureWorkflowId === 'string' && body.onFailureWorkflowId.toLowerCase() === id
      ? [{ path: 'onFailureWorkflowId', message: 'expected a workflow other than this one' }]
      : [];
  if (!definition) return wrong([...inBody(validation.problems.filter(isError)), ...misnamed, ...itself]);
  const needs = [
    ...ofSteps,
    ...(body.onFailureWorkflowId == null
      ? []
      : [need('executions:run', 'onFailureWorkflowId', 'starting another workflow')]),
  ];
  const fields = { ...overlaid({ name: slug, ...WORKFLOW_HEAD }, given), ...(definition as unknown as JsonObject) };
  return { problems: [...misnamed, ...itself], needs, fields };
}

export function definitionIn(fields: JsonObject): Definition {
  return besides(WORKFLOW_HEAD, fields) as unknown as Definition;
}

function maskProblems(trigger: Json | undefined): ProblemDetail[] {
  if (!holdsMask(trigger)) return [];
  const { config } = trigger as { config: JsonObject };
  const message = 'is the mask of a secret, but no secret is stored: send the secret itself';
  const path = config.secret === HIDDEN_SECRET ? 'trigger.config.secret' : 'trigger.config.hmac.secret';
  return [{ path, message }];
}
