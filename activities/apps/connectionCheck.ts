/** Why the credentials would not work, without naming any of them; undefined when nothing speaks against them. */
export type ConnectionCheck = (
  connectionType: string,
  credentials: Record<string, string>,
  /** Whose connection it will be. */
  workspaceId?: string,
) => Promise<string | undefined> | string | undefined;
