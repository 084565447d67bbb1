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
type TypeBody = Parameters<typeof client.upsertObjectType>[0]['body'];

/** Creates the draft, and those of its queues and types that do not exist yet. Returns the id of the workflow. */
export async function copyTemplate(template: Template, projectId: string): Promise<string> {
  const { workflow, title } = template;
  const queueIds = new Map<string, string>();
  for (const queue of template.queues) queueIds.set(queue.slug, await queueId(projectId, queue));
  for (const type of template.objectTypes) await requireType(type);
  // References to what a template does not copy, such as agents, stay empty: the editor asks for them.
  const apps = await QUERIES.ensureQueryData(catalogue());
  const known = new Map(apps.map((app) => [app.appId, app as unknown as AppManifest]));
  const fields = withReferences('workflow', workflow.fields, known, ({ name }) => {
    const reference = slugReference(name);
    if (reference === undefined) return name;
    return (reference.kind === 'queue' ? queueIds.get(reference.slug) : undefined) ?? '';
  });
  const body = { ...fields, name: await freeName(projectId, title) } as DraftBody;
  const { id } = await client.createWorkflowDraft({ path: { projectId }, body });
  for (const key of ['listWorkflows', 'listQueues', 'listObjectTypes']) {
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
