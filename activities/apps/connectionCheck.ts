/** Returns why the credentials would not work, without quoting them; undefined if nothing is wrong. */
export type ConnectionCheck = (
  connectionType: string,
  credentials: Record<string, string>,
  workspaceId?: string,
) => Promise<string | undefined> | string | undefined;
