import type { Field } from '../field.ts';
import type { Json, JsonObject } from '../json.ts';

/** A workflow as people write it: the shape of React Flow. */
export interface Definition {
  trigger: TriggerNode;
  nodes: Node[];
  edges: Edge[];
  /** The workflow's output: a value with expressions. */
  output?: Json;
  /** By which its executions are found: texts with expressions over `trigger`, by key. */
  labels?: Record<string, string>;
}

/** Control types are interpreted by the engine; `action` runs an action of the catalogue. */
export const NODE_TYPES = [
  'action',
  'condition',
  'switch',
  'forEach',
  'repeat',
  'input',
  'delay',
  'runWorkflow',
  'respond',
  'stop',
] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** Nodes that others stand inside, by their parentId. */
const LOOP_TYPES = ['forEach', 'repeat'] as const;
export type LoopType = (typeof LOOP_TYPES)[number];

export function isLoop(type: NodeType): type is LoopType {
  return (LOOP_TYPES as readonly string[]).includes(type);
}

/** Whether the output of a loop is the list of its iterations' outputs: otherwise it is `{total, completed, failed}`. */
export function keepsOutputs({ inputs }: Pick<Node, 'inputs'>): boolean {
  return inputs?.keepOutputs !== false;
}

/** Loops inside loops: this deep, and no deeper. */
export const MAXIMUM_LOOP_DEPTH = 5;

export interface Node {
  id: string;
  type: NodeType;
  name?: string;
  /** For an action. */
  appId?: string;
  actionId?: string;
  inputs?: JsonObject;
  /** A connection of the workspace. */
  connectionId?: string;
  /** The loop that the node belongs to; absent at the top. */
  parentId?: string;
  position?: { x: number; y: number };
  onError?: OnError;
  retry?: RetryPolicy;
  /** Per attempt, milliseconds. */
  timeoutMs?: number;
  /** How long it waits for its connection to be authorized again; RECONNECT_TIMEOUT_MS where absent. */
  onReconnectTimeoutMs?: number;
}

export type OnError = 'fail' | 'continue' | 'route';

export interface RetryPolicy {
  maximumAttempts: number;
  initialIntervalMs?: number;
  backoffCoefficient?: number;
  maximumIntervalMs?: number;
}

/** `source` is a node's id or `trigger`. */
export interface Edge {
  id: string;
  source: string;
  target: string;
  sourceHandle?: string;
}

export const TRIGGER_TYPES = ['manual', 'webhook', 'schedule', 'poll', 'queue'] as const;

export type TriggerNode =
  | { id: 'trigger'; type: 'manual'; config: { fields?: Field[] } }
  | { id: 'trigger'; type: 'webhook'; config: WebhookConfig }
  | { id: 'trigger'; type: 'schedule'; config: ScheduleConfig }
  | { id: 'trigger'; type: 'poll'; config: PollConfig }
  | { id: 'trigger'; type: 'queue'; config: QueueConfig };

/** The policy for a time that comes while the previous execution still runs. */
export const OVERLAPS = ['skip', 'bufferOne', 'bufferAll', 'cancelOther', 'terminateOther', 'allowAll'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** Has cron or everyMs. */
export interface ScheduleConfig {
  /** Five fields, or six with seconds. */
  cron?: string;
  everyMs?: number;
  /** IANA; UTC where absent. */
  timezone?: string;
  /** At random up to so much later. */
  jitterMs?: number;
  /** skip where absent. */
  overlap?: Overlap;
  /** How late a time that was missed is still made up for; a minute where absent. */
  catchupWindowMs?: number;
}

export const WEBHOOK_METHODS = ['GET', 'POST'] as const;
export type WebhookMethod = (typeof WEBHOOK_METHODS)[number];

export interface WebhookConfig {
  /** Both where absent; PUT counts as POST. */
  methods?: WebhookMethod[];
  respond?: 'immediately' | 'whenFinished';
  /** Compared with X-Webhook-Secret. */
  secret?: string;
  hmac?: HmacConfig;
  duplicates?: DuplicatesConfig;
}

/** HMAC-SHA256 over the body as it came; beside `secret`, both must hold. */
export interface HmacConfig {
  secret: string;
  /** X-Signature where absent. */
  header?: string;
  /** `timestamped` (where absent): `t=<unix seconds>,v1=<hex>` over `t.body`; `body`: hex over the body. */
  format?: 'timestamped' | 'body';
  /** 300 where absent. */
  toleranceSeconds?: number;
}

/** Requests with the same key within the time are one. */
export interface DuplicatesConfig {
  /** An expression over `trigger`. */
  key: string;
  forMs: number;
}

export interface QueueConfig {
  /** A queue of the workspace. */
  queueId: string;
  /** Items of one execution; the queue's where absent. */
  batchSize?: number;
}

/** `new`: the items of the first poll start nothing; `all`: each of them starts an execution. */
export const START_WITH = ['new', 'all'] as const;

export interface PollConfig {
  appId: string;
  triggerId: string;
  inputs?: JsonObject;
  /** A connection of the workspace. */
  connectionId?: string;
  everyMs: number;
  /** new where absent. */
  startWith?: (typeof START_WITH)[number];
}

/** The source of edges that name the first nodes. */
export const TRIGGER_ID = 'trigger';
