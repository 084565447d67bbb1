import { client, keepSession } from '../session/session.ts';
import { QUERIES } from './queries.ts';

/** Goes on in another workspace of the person. What was read of this one is forgotten, and streams begin again. */
export async function enterWorkspace(workspaceId: string): Promise<void> {
  keepSession(await client.switchWorkspace({ body: { workspaceId } }));
  QUERIES.clear();
  location.assign('/console/');
}
