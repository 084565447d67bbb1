import type { Database } from '../../client.ts';

export async function readAuthorizer(
  database: Database,
  workspaceId: string,
  by: { userId: string } | { apiKeyId: string },
): Promise<{ workspaceName: string; askedBy: string }> {
  const { name: workspaceName } = await database.workspace.findUniqueOrThrow({
    where: { id: workspaceId },
    select: { name: true },
  });
  if ('userId' in by) {
    const member = await database.user.findFirst({
      where: { id: by.userId, memberships: { some: { workspaceId } } },
      select: { name: true },
    });
    return { workspaceName, askedBy: member?.name ?? 'a former member' };
  }
  const key = await database.apiKey.findFirst({ where: { id: by.apiKeyId, workspaceId }, select: { name: true } });
  return { workspaceName, askedBy: `API key "${key?.name ?? 'revoked'}"` };
}
