import type { Permission } from '../access/permission.ts';
import type { Field, InputField } from '../field.ts';
import type { Json } from '../json.ts';
import type { FieldReference } from '../reference/reference.ts';
import type { HmacFormat } from '../workflow/definition.ts';
import type { OutputSchema } from './outputSchema.ts';
import type { CustomPart } from './runsOn.ts';

/** An app of the catalogue as data, for the API and the validator. Executors are separate. */
export interface AppManifest {
  appId: string;
  name: string;
  description: string;
  icon: string;
  categories: string[];
  connectionTypes: ConnectionType[];
  actions: ActionManifest[];
  triggers: TriggerManifest[];
  /** Absent for built-in apps. */
  custom?: CustomPart;
}

export interface ConnectionType {
  connectionId: string;
  name: string;
  type: 'apiKey' | 'basic' | 'oauth2' | 'custom';
  fields: Field[];
  /**
   * For type oauth2: the endpoints of the app's provider. If absent, users enter them in the connection's fields. Without
   * authorizationUrl the grant is clientCredentials.
   */
  oauth2?: {
    authorizationUrl?: string;
    tokenUrl: string;
    scopes?: string;
    /** Between scopes in the authorization's address; default: a space. */
    scopeSeparator?: ',';
    allowedHosts: string;
  };
}

/**
 * All permissions of the operation that does the same. A connection needs `connections:use` too (stepPermissions.ts).
 */
type StepPermissions = readonly Permission[];

export interface InputConfig {
  fields: InputField[];
  /** The fields whose value names a resource, by key. */
  refersTo?: Readonly<Record<string, FieldReference>>;
  /** Fields of type json that accept only an object; forms show rows of names and values. */
  objects?: readonly string[];
  /** Fields of type json that accept any value but usually get an object; forms start with rows of names and values. */
  mostlyObjects?: readonly string[];
  /** The fields that forms edit as JavaScript, or as rows of field, operator and value. */
  editors?: Readonly<Record<string, FieldEditor>>;
}

export const EFFECTS = ['read', 'write', 'destructive'] as const;
export type Effect = (typeof EFFECTS)[number];

export type FieldEditor = 'javascript' | 'rules';

export interface ActionManifest {
  actionId: string;
  name: string;
  description: string;
  /** Inline SVG; default: the app's. */
  icon?: string;
  inputConfig: InputConfig;
  outputExample?: Json;
  /** The strongest effect outside Perdure. Pure actions and queries are `read`. */
  effect: Effect;
  /** A lost attempt may run again without harm, even if the service ignores idempotency keys. Every `read` is. */
  repeatable: boolean;
  /** Absent if the output's shape depends on the author's inputs. */
  outputSchema?: OutputSchema;
  requiresConnection: boolean;
  permissions: StepPermissions;
  /**
   * inline: pure and fast, runs inside a region. remote: has effects outside, runs as its own activity. inlineUpToMs:
   * pure; inline if the node's time limit is at most this. child: an agent's turn that the workflow starts and awaits;
   * no executor. worker: an activity or workflow of the customer's worker, which the workflow starts and awaits.
   */
  placement: 'inline' | 'remote' | 'child' | 'worker' | { inlineUpToMs: number };
  /** The executor uses the idempotency key of its call; if it is remote, its receiver recognizes a repeated call by it. */
  usesKey?: true;
  /** Per attempt. The node's own limit has priority; without either, ACTION_TIMEOUT_MS applies. */
  timeoutMs?: number;
  /** For activities of a customer's worker; the default is HEARTBEAT_TIMEOUT_MS of domain/app/workerTask.ts. */
  heartbeatTimeoutMs?: number;
}

export interface TriggerManifest {
  triggerId: string;
  name: string;
  description: string;
  permissions: StepPermissions;
  inputConfig: InputConfig;
  /** The service sends requests to the workflow's webhook, signed in this format. Absent: the trigger is polled. */
  webhook?: { signature: HmacFormat };
}

export type Catalogue = ReadonlyMap<string, AppManifest>;

export function findAction(catalogue: Catalogue, appId: string, actionId: string): ActionManifest | undefined {
  return catalogue.get(appId)?.actions.find((action) => action.actionId === actionId);
}

export function findTrigger(catalogue: Catalogue, appId: string, triggerId: string): TriggerManifest | undefined {
  return catalogue.get(appId)?.triggers.find((trigger) => trigger.triggerId === triggerId);
}
