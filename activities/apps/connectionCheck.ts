/** Why the credentials would not work, without naming any of them; undefined when nothing speaks against them. */
export type ConnectionCheck = (
  connectionType: string,
  credentials: Record<string, string>,
) => Promise<string | undefined> | string | undefined;
