import type { Permission } from '../access/permission.ts';
import type { Field } from '../field.ts';
import type { Json } from '../json.ts';
import type { FieldReference } from '../reference/reference.ts';
import type { OutputSchema } from './outputSchema.ts';

/** An app of the catalogue as data, for the API and the validator. Its executors are elsewhere. */
export interface AppManifest {
  appId: string;
  name: string;
  description: string;
  /** Inline SVG. */
  icon: string;
  categories: string[];
  connectionTypes: ConnectionType[];
  actions: ActionManifest[];
  triggers: TriggerManifest[];
}

export interface ConnectionType {
  connectionId: string;
  name: string;
  type: 'apiKey' | 'basic' | 'oauth2' | 'custom';
  fields: Field[];
  /** Of type oauth2: the addresses of the app's provider. Absent: the person names them among the fields. */
  oauth2?: { authorizationUrl: string; tokenUrl: string; scopes?: string; allowedHosts: string };
}

/**
 * What whoever runs or stores it must have: the permissions of the operation that does the same. All of them; none where it
 * reads and changes nothing of the workspace. A connection needs `connections:use` besides (access/stepPermissions.ts).
 */
type StepPermissions = readonly Permission[];

export interface InputConfig {
  fields: Field[];
  /** The fields whose value names a resource, by key. */
  refersTo?: Readonly<Record<string, FieldReference>>;
  /** The fields of type json whose value is an object: a form has them as rows of names and values. */
  objects?: readonly string[];
  /** The fields of type json that take any value and mostly get an object: a form begins with rows of names and values. */
  mostlyObjects?: readonly string[];
}

export interface ActionManifest {
  actionId: string;
  name: string;
  description: string;
  /** Inline SVG; the app's where absent. */
  icon?: string;
  inputConfig: InputConfig;
  outputExample?: Json;
  /** Absent: it is another in each use, as the author has it. */
  outputSchema?: OutputSchema;
  requiresConnection: boolean;
  permissions: StepPermissions;
  /**
   * inline: pure and quick, runs inside a region. remote: the world outside, an activity of its own. inlineUpToMs: pure,
   * and inline where the node's time limit is known to be no longer (domain/workflow/placement.ts). child: a turn of an agent
   * that the execution's workflow starts and waits for; it has no executor.
   */
  placement: 'inline' | 'remote' | 'child' | { inlineUpToMs: number };
  /** Of an inline one: its executor uses the call's idempotency key. */
  usesKey?: true;
  /** Per attempt; where neither the manifest nor the node says, ACTION_TIMEOUT_MS. */
  timeoutMs?: number;
}

export interface TriggerManifest {
  triggerId: string;
  name: string;
  description: string;
  permissions: StepPermissions;
  inputConfig: InputConfig;
}

/** The catalogue by appId. */
export type Catalogue = ReadonlyMap<string, AppManifest>;

export function findAction(catalogue: Catalogue, appId: string, actionId: string): ActionManifest | undefined {
  return catalogue.get(appId)?.actions.find((action) => action.actionId === actionId);
}

export function findTrigger(catalogue: Catalogue, appId: string, triggerId: string): TriggerManifest | undefined {
  return catalogue.get(appId)?.triggers.find((trigger) => trigger.triggerId === triggerId);
}
