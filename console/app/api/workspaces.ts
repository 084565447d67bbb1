import { client, keepSession } from '../session/session.ts';
import { QUERIES } from './queries.ts';

/** Switches to another workspace of the person. The reload drops cached data and reopens the streams. */
export async function enterWorkspace(workspaceId: string): Promise<void> {
  keepSession(await client.switchWorkspace({ body: { workspaceId } }));
  QUERIES.clear();
  location.assign('/console/');
}
