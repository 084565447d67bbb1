import { need } from '../../../domain/access/stepPermissions.ts';
import type { ExposeAsTool } from '../../../domain/mcp/exposeAsTool.ts';
import { placed } from '../../../domain/place.ts';
import { isError, Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import { exposureProblems } from '../../mcp/exposureProblems.ts';
import type { Services } from '../../services.ts';
import { checkDefinition } from './checkDefinition.ts';
import { failureWorkflowProblems } from './failureWorkflowProblems.ts';
import type { DefinitionBody } from './readDefinition.ts';
import { restoreTriggerSecrets, type SecretsPlace } from './restoreTriggerSecrets.ts';
import { withCode } from './withCode.ts';

/** The members of an upsert without the slug and `managedByCode`. The contract has checked all but the definition. */
export interface UpsertBody extends DefinitionBody {
  name?: string | undefined;
  description?: string | null | undefined;
  isActive?: boolean | undefined;
  timeoutMs?: number | null | undefined;
  onFailureWorkflowId?: string | null | undefined;
  maxConcurrent?: number | null | undefined;
  exposeAsTool?: ExposeAsTool | null | undefined;
  isInternal?: boolean | undefined;
  orientation?: 'horizontal' | 'vertical' | undefined;
}

export interface CheckedUpsert {
  /** The trigger with its stored secrets. */
  trigger: unknown;
  /** Absent if there is an error. */
  definition?: Definition | undefined;
  problems: ProblemDetail[];
}

/** Throws FORBIDDEN if the caller lacks a permission, unless the body is only read (`isStored`). */
export async function checkUpsert(
  body: UpsertBody,
  services: Services,
  { caller, isStored = true, ...place }: SecretsPlace & { caller: Caller; isStored?: boolean },
): Promise<CheckedUpsert> {
  const { trigger, problems: masked } = await restoreTriggerSecrets(body.trigger, services, place);
  if (masked.length > 0) return { trigger, problems: masked };
  const by = { caller, projectId: place.projectId, isStored };
  const given = { ...body, slug: place.slug, trigger };
  const { definition, problems } = await checkDefinition(given, services, by);
  if (isStored && body.onFailureWorkflowId != null) {
    requireNeeds(caller, [need('executions:run', 'onFailureWorkflowId', 'starting another workflow')]);
  }
  const misnamed = await failureWorkflowProblems(services, place, body.onFailureWorkflowId);
  const { exposeAsTool } = body;
  const tool = { kind: 'workflow', slug: place.slug ?? '', trigger, exposeAsTool } as const;
  const found = [...misnamed, ...(await exposureProblems(services, caller, place.projectId, [tool]))];
  const isValid = definition !== undefined && found.length === 0;
  return { trigger, problems: [...problems, ...found], ...(isValid ? { definition } : {}) };
}

/** Throws VALIDATION_FAILED with the errors. */
export function refuseUpsert(problems: readonly ProblemDetail[]): never {
  const errors = problems.filter(isError).map(withCode);
  const detail = errors.length === 1 ? errors.map(placed).join('') : `The definition has ${errors.length} problems`;
  throw new Problem('VALIDATION_FAILED', detail, { errors });
}
