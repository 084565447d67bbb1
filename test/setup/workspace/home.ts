import { randomUUID } from 'node:crypto';
import { type Arguments, createClient } from 'perdure-client';
import type { WorkspaceCredentials } from '../../../api/access/createWorkspace.ts';
import { checkedFetch } from '../api/checkedFetch.ts';
import { type Api, type ApiAnswer, api } from '../api/client.ts';
import { untilEvent } from '../api/events.ts';
import type { Stack } from '../stack/ownStack.ts';
import type { Graph } from './graph.ts';
import { makeWorkspace } from './workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape was checked against openapi.yaml
type Loose = any;

export interface Home {
  api: Api;
  apiKey: string;
  url: string;
  workspaceId: string;
  projectId: string;
  deploy(graph: Graph & { slug?: string }): Promise<string>;
  execute(workflowId: string, inputData?: object): Promise<string>;
  /** Deploys and executes a workflow; returns the ended execution. */
  run(graph: Graph, inputData?: object): Promise<Loose>;
  /** Reads executionPath, pendingInput, status, statusMessage, output, and the expansions `more`. */
  read(executionId: string, ...more: string[]): Promise<Loose>;
  ended(executionId: string): Promise<Loose>;
  finished(executionId: string): Promise<Loose>;
  /** Resolves with the first snapshot for which `isIt` returns true. */
  until(executionId: string, isIt: (snapshot: Loose) => boolean): Promise<Loose>;
  asked(executionId: string, nodeId: string): Promise<Loose>;
  /** `stepId` selects an iteration; `by` submits as another caller, for questions with several submissions. */
  submit(executionId: string, nodeId: string, values: object, stepId?: string, by?: Api): Promise<ApiAnswer>;
  tokens(): Promise<{ access_token: string; refresh_token: string }>;
  /** Logs the owner in, as another submitter than the API key. */
  person(): Promise<Api>;
}

export async function makeHome(): Promise<Home> {
  const { url, ...credentials } = await makeWorkspace();
  return homeOf({ url: () => url, ...credentials });
}

export async function homeWithOwner(): Promise<{ home: Home; owner: { email: string; password: string } }> {
  const { url, ...credentials } = await makeWorkspace();
  const { email, password } = credentials;
  return { home: homeOf({ url: () => url, ...credentials }), owner: { email, password } };
}

/** Uses the first workspace of a separate stack; the url is read at each call because the stack may restart. */
export function homeOn(stack: Stack): Home {
  return homeOf({ ...stack.credentials, url: () => stack.url });
}

type Place = Omit<WorkspaceCredentials, 'url'> & { url: () => string };

export function homeOf({ url, apiKey, email, password, workspaceId, projectId }: Place): Home {
  const call: Api = (...args) => api(url(), apiKey)(...args);
  const open: Api = (...args) => api(url())(...args);
  // The usual calls use the public client, without retries because a failure is what the test checks.
  const client = () => createClient({ url: url(), apiKey, fetch: checkedFetch, retries: { tries: 1 } });

  const home: Home = {
    api: call,
    apiKey,
    get url() {
      return url();
    },
    workspaceId,
    projectId,

    async deploy({ slug = `w-${randomUUID()}`, edges = [], ...graph }) {
      const body = { slug, edges, ...graph } as Arguments<'upsertWorkflow'>['body'];
      return (await client().upsertWorkflow({ path: { projectId }, body })).id;
    },

    async execute(workflowId, inputData) {
      const body = inputData === undefined ? {} : { inputData: inputData as Record<string, unknown> };
      return (await client().executeWorkflow({ path: { workflowId }, body })).executionId;
    },

    async run(graph, inputData) {
      return home.ended(await home.execute(await home.deploy(graph), inputData));
    },

    async read(executionId, ...more) {
      const expansion = ['executionPath', 'pendingInput', 'status', 'statusMessage', 'output', ...more].join(',');
      return client().getExecution({ path: { executionId }, query: { expansion } });
    },

    async ended(executionId) {
      await home.finished(executionId);
      return home.read(executionId);
    },

    finished: (executionId) => untilEvent(call, executionId, (_, event) => event === 'execution.finished'),

    until: (executionId, isIt) => untilEvent(call, executionId, isIt),

    asked: (executionId, nodeId) =>
      home.until(executionId, ({ pendingInput }) => pendingInput?.some((each: Loose) => each.nodeId === nodeId)),

    async tokens() {
      const { body } = await open('POST', '/api/auth/login', { body: { email, password } });
      return body;
    },

    async person() {
      const { access_token } = await home.tokens();
      return (...args) => api(url(), access_token)(...args);
    },

    submit: (executionId, nodeId, body, stepId, by = open) =>
      by(
        'POST',
        `/api/webhooks/executions/${executionId}/nodes/${nodeId}/input${stepId === undefined ? '' : `?stepId=${stepId}`}`,
        { body },
      ),
  };
  return home;
}

export function stepOf({ executionPath }: Loose, nodeId: string): Loose {
  const found = executionPath.find((step: Loose) => step.nodeId === nodeId);
  if (!found) throw new Error(`No step ${nodeId} in ${JSON.stringify(executionPath)}`);
  return found;
}

/** Returns `{a: 'COMPLETED', b: 'FAILED'}`. */
export function statuses({ executionPath }: Loose): Record<string, string> {
  return Object.fromEntries(executionPath.map((step: Loose) => [step.nodeId, step.status]));
}
