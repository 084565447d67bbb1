/** A workflow's or an agent's part in the list of tools of the MCP server. */
export interface ExposeAsTool {
  /** Default: `<slug of the project>_<slug>`. */
  name?: string;
  description: string;
}
