/** The place at which the actions of a custom app run. Built-in apps have none. */
export type RunsOn = WorkerRuns | HttpRuns | OpenApiRuns | McpRuns | FunctionRuns | PieceRuns;

/** The customer's own Temporal worker. The activity type is the actionId. */
export interface WorkerRuns {
  on: 'worker';
  taskQueue: string;
  /** The actions that are child workflows of that type instead of activities. */
  workflows?: readonly string[];
}

/** Each action is `POST <baseUrl>/<actionId>`, signed by Standard Webhooks. */
export interface HttpRuns {
  on: 'http';
  baseUrl: string;
}

/** Actions made from an OpenAPI document, which is stored by its SHA-256 digest. */
export interface OpenApiRuns {
  on: 'openapi';
  document: string;
}

/** Tools of an MCP server (streamable HTTP). */
export interface McpRuns {
  on: 'mcp';
  url: string;
  /** The digest of each tool by its action. A tool that has changed is not called. */
  tools?: Readonly<Record<string, string>>;
}

/** Functions of the project, bundled on the author's machine; `bundle` is the SHA-256 digest of the stored code. */
export interface FunctionRuns {
  on: 'function';
  bundle: string;
}

/** An Activepieces piece of npm, bundled on the author's machine. */
export interface PieceRuns {
  on: 'piece';
  package: string;
  version: string;
  bundle: string;
}

/** How an app of a workspace runs; built-in apps have none. */
export interface CustomPart {
  runs: RunsOn;
  /** SHA-256 of the canonical manifest. Stored definitions name it, so that executions keep their version. */
  digest: string;
}
