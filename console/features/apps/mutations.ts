import { QUERIES } from '../../app/api/queries.ts';
import { client } from '../../app/session/session.ts';

export async function deleteApp(slug: string): Promise<void> {
  await client.deleteApp({ path: { app: slug } });
  for (const key of ['listWorkflowApps', 'listApps']) void QUERIES.invalidateQueries({ queryKey: [key] });
}
