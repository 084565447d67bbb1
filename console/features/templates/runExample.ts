import { copyTemplate, runDraft } from './mutations.ts';
import { TEMPLATES } from './templates.ts';

const EXAMPLE = 'order-approval';

/** Copies the example and runs its draft with its sample. */
export async function runExample(projectId: string) {
  const template = TEMPLATES.find(({ name }) => name === EXAMPLE);
  if (template === undefined) throw new Error(`The example ${EXAMPLE} is missing`);
  const workflowId = await copyTemplate(template, projectId);
  const { executionId } = await runDraft(workflowId, template.sample);
  return { workflowId, executionId };
}
