import type { ConnectionType } from '../app/manifest.ts';

/** A secret of a tree of executions: a text, or the credentials of a used connection, which another step may return. */
export type KeptSecret = string | { connectionId: string };

/** A secret as stored; credentials and variables are sealed. */
export type StoredSecret = string | StoredCredentials | StoredVariable;

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
  type: string;
  /** The types of an app of the workspace; null for a built-in app. */
  ownTypes?: ConnectionType[] | null;
  /** Base64. */
  sealed: string;
  keyId: string;
}

export type RevealSecrets = (stored: readonly StoredSecret[]) => string[];
