/**
 * A secret of a tree of executions: a text, or the credentials of a connection that one of them used, which another
 * step may return.
 */
export type KeptSecret = string | { connectionId: string };

/** As the store gives it: credentials are sealed there too. */
export type StoredSecret = string | StoredCredentials | StoredVariable;

/** A secret variable, sealed. */
export interface StoredVariable {
  workspaceId: string;
  variableId: string;
  /** Base64. */
  sealed: string;
  keyId: string;
}

export interface StoredCredentials {
  workspaceId: string;
  connectionId: string;
  appId: string;
  /** The id of the app's connection type. */
  type: string;
  /** Base64. */
  sealed: string;
  keyId: string;
}

/** The texts themselves. */
export type RevealSecrets = (stored: readonly StoredSecret[]) => string[];
