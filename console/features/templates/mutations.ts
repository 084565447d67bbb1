import { isProblem } from 'perdure-client';
import type { AppManifest } from '../../../domain/app/manifest.ts';
import { slugReference } from '../../../domain/bundle/slugReference.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { withReferences } from '../../../domain/reference/references.ts';
import { catalogue } from '../../app/api/choices.ts';
import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';
import { escaped } from '../../ui/escaped.ts';
import type { Resource, Template } from './templatesOf.ts';

type DraftBody = Parameters<typeof client.createWorkflowDraft>[0]['body'];
type QueueBody = Parameters<typeof client.createQueue>[0]['body'];
type AgentBody = Parameters<typeof client.upsertAgent>[0]['body'];
type TypeBody = Parameters<typeof client.upsertObjectType>[0]['body'];

/** Creates the draft, and those of its queues, types and agents that do not exist yet. Returns the id of the workflow. */
export async function copyTemplate(template: Template, projectId: string): Promise<string> {
  const { workflow, title } = template;
  const ids = new Map<string, string>();
  for (const queue of template.queues) ids.set(`queue ${queue.slug}`, await queueId(projectId, queue));
  for (const agent of template.agents) ids.set(`agent ${agent.slug}`, await agentId(projectId, agent));
  for (const type of template.objectTypes) await requireType(type);
  // References to what a template does not copy stay empty: the editor asks for them.
  const apps = await QUERIES.ensureQueryData(catalogue());
  const known = new Map(apps.map((app) => [app.appId, app as unknown as AppManifest]));
  const fields = withReferences('workflow', workflow.fields, known, ({ name }) => {
    const reference = slugReference(name);
    if (reference === undefined) return name;
    return ids.get(`${reference.kind} ${reference.slug}`) ?? '';
  });
  const body = { ...fields, name: await freeName(projectId, title) } as DraftBody;
  const { id } = await client.createWorkflowDraft({ path: { projectId }, body });
  for (const key of ['listWorkflows', 'listQueues', 'listObjectTypes', 'listAgents']) {
    void QUERIES.invalidateQueries({ queryKey: [key] });
  }
  return id;
}

async function queueId(projectId: string, { slug, fields }: Resource): Promise<string> {
  const query = { filterBy: `projectId:${projectId},slug:${slug}`, limit: 1 };
  const [known] = await client.listQueues({ query });
  if (known !== undefined) return known.id;
  return (await client.createQueue({ query: { projectId }, body: { ...fields, slug } as unknown as QueueBody })).id;
}

async function agentId(projectId: string, { slug, fields }: Resource): Promise<string> {
  const [known] = await client.listAgents({ query: { filterBy: `projectId:${projectId},slug:${slug}`, limit: 1 } });
  if (known !== undefined) return known.id;
  const body = { ...fields, slug, managedByCode: false } as unknown as AgentBody;
  return (await client.upsertAgent({ path: { projectId }, body })).id;
}

async function requireType({ slug, fields }: Resource): Promise<void> {
  try {
    await client.getObjectTypeBySlug({ path: { slug } });
  } catch (error) {
    if (!isProblem(error) || error.status !== 404) throw error;
    await client.upsertObjectType({ body: { ...fields, slug, managedByCode: false } as unknown as TypeBody });
  }
}

/** Returns the title, or the first of `title 2`, `title 3`, … that no workflow of the project has. */
async function freeName(projectId: string, title: string): Promise<string> {
  const query = { filterBy: `projectId:${projectId},name:${escaped(title)}`, expansion: 'name', limit: 1_000 };
  const taken = new Set((await client.listWorkflows({ query })).map(({ name }) => name));
  let name = title;
  for (let count = 2; taken.has(name); count += 1) name = `${title} ${count}`;
  return name;
}

export const runDraft = (workflowId: string, inputData: JsonObject) =>
  client.executeWorkflowDraft({ path: { workflowId }, body: { inputData } });
