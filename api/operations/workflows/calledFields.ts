import { isJsonObject } from '../../../domain/json.ts';
import type { FieldsOf } from '../../../domain/workflow/check/workflowInput.ts';
import type { Node } from '../../../domain/workflow/definition.ts';
import { namedWorkflows } from '../../../domain/workflow/namedWorkflows.ts';
import { findNamedWorkflows } from '../../../prisma/store/workflow/findNamedWorkflows.ts';
import type { Services } from '../../services.ts';

/** Reads the fields of the workflows that the nodes of a body call. The body may be invalid. */
export async function calledFields(
  { database, definitions }: Services,
  { workspaceId, projectId }: { workspaceId: string; projectId?: string | undefined },
  body: { nodes?: unknown; steps?: unknown; slug?: unknown },
): Promise<FieldsOf> {
  const list: unknown[] = [body.nodes, body.steps].flatMap((each) => (Array.isArray(each) ? each : []));
  const nodes = list.filter((each): each is Node & object => isJsonObject(each) && isJsonObject(each.inputs));
  // The stored version of the workflow itself is about to be replaced.
  const calls = namedWorkflows(nodes).filter(({ by, name }) => by !== 'slug' || name !== body.slug);
  if (calls.length === 0) return () => undefined;
  const found = await findNamedWorkflows(
    database,
    workspaceId,
    calls.map((call) => ({ ...call, projectId })),
  );
  const fields = new Map<string, ReturnType<FieldsOf>>();
  for (const [index, { by, name }] of calls.entries()) {
    const called = found[index];
    if (!called?.versionId) continue;
    const { id, versionId } = called;
    const { trigger } = await definitions.get({ workspaceId, executionId: id, versionId });
    if (trigger.type === 'manual') fields.set(`${by} ${name}`, trigger.config.fields ?? []);
  }
  return ({ by, name }) => fields.get(`${by} ${name}`);
}
