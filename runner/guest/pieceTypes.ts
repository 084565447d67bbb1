// The parts of Activepieces' framework that a run needs, as its versions from 0.4 to 0.32 have them.

export interface Piece {
  displayName?: string;
  description?: string;
  /** Several since version 0.20. */
  auth?: PieceAuth | PieceAuth[];
  actions(): Record<string, PieceAction>;
  triggers?(): Record<string, unknown>;
  /** Absent in old versions. */
  getContextInfo?(): { version: string };
}

export interface PieceAction {
  displayName?: string;
  description?: string;
  props?: Record<string, PieceProperty>;
  requireAuth?: boolean;
  /** READ, SEARCH, WRITE or DESTRUCTIVE. */
  classification?: string;
  aiMetadata?: { idempotent?: boolean };
  run(context: unknown): unknown;
}

export interface PieceProperty {
  type: string;
  displayName?: string;
  description?: string;
  required?: boolean;
  defaultValue?: unknown;
  refreshers?: string[];
  refreshOnSearch?: boolean;
  /** A function loads them. */
  options?: { options?: PieceOption[] } | ((values: unknown, context: unknown) => unknown);
  /** The properties of each item of an array. */
  properties?: Record<string, PieceProperty>;
  /** A function loads those of a dynamic property. */
  props?: Record<string, PieceProperty> | ((values: unknown, context: unknown) => unknown);
}

export interface PieceOption {
  label?: string;
  value: unknown;
}

export interface PieceAuth extends PieceProperty {
  authUrl?: string;
  tokenUrl?: string;
  scope?: string[];
  grantType?: string;
  username?: { displayName?: string; description?: string };
  password?: { displayName?: string; description?: string };
}

export interface PieceConnection {
  /** The id of the type of the connection in the app. */
  type: string;
  credentials: Record<string, string>;
}

export interface PieceCall {
  inputs: Record<string, unknown>;
  call: { executionId?: string; stepId?: string; connection?: PieceConnection };
}
