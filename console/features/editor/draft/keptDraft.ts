import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { isJsonObject, type JsonObject } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { browserTexts, KEPT_MS, keysWith, STORED, writeIfRoom } from '../../../app/storage/browserStorage.ts';
import type { Tags } from '../editing/queries.ts';
import type { Draft } from '../model/draft.ts';

/** Names a state of a workflow and of its stored draft. */
export const tagOf = ({ workflow, draft }: Tags): string => `${rowOf(workflow)} ${rowOf(draft ?? '')}`.trim();

/** The part of an ETag that does not depend on which fields were read. */
const rowOf = (etag: string) => etag.replace(/^"([^/"]*).*$/, '$1');

export interface KeptDraft {
  draft: Draft;
  /** The tag of the state that the draft started from. */
  etag: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Returns the key prefix of a person's drafts of a workflow. Each tab appends its own name and keeps its own draft. */
export function draftPlace(userId: string, workspaceId: string, workflowId: string | undefined): string {
  return `${STORED.workflowDrafts.key}${userId}.${workspaceId}.${workflowId ?? 'new'}.`;
}

export function keptKeys(place: string): string[] {
  return keysWith(browserTexts(), place);
}

export function readKept(key: string): KeptDraft | undefined {
  const text = browserTexts().getItem(key);
  if (text === null) return undefined;
  try {
    const kept = JSON.parse(text) as KeptDraft;
    if (Date.now() - kept.at <= KEPT_MS && Array.isArray(kept.draft.definition.nodes)) return kept;
  } catch {
    // Written by another version: not usable.
  }
  browserTexts().removeItem(key);
  return undefined;
}

/** Keeps the draft if the browser has room. Losing it must not interrupt the work. */
export function keep(key: string, kept: KeptDraft, apps: readonly AppManifest[]): void {
  const draft = withoutSecrets(kept.draft, apps);
  writeIfRoom(browserTexts(), key, JSON.stringify({ ...kept, draft }));
}

export function forget(key: string): void {
  browserTexts().removeItem(key);
}

/** Takes over the draft of a closed tab; undefined if another tab was faster. */
export function take(key: string, own: string): KeptDraft | undefined {
  const kept = readKept(key);
  const text = browserTexts().getItem(key);
  if (kept === undefined || text === null) return undefined;
  // Remove first: there may be no room for two copies.
  browserTexts().removeItem(key);
  browserTexts().setItem(own, text);
  return kept;
}

/** Removes typed secrets, which must not be stored in the browser. Masks of stored secrets stay. */
export function withoutSecrets(draft: Draft, apps: readonly AppManifest[]): Draft {
  const { definition } = draft;
  const { trigger, nodes } = definition;
  const config = { ...trigger.config } as JsonObject;
  if (config.secret !== undefined && config.secret !== HIDDEN_SECRET) delete config.secret;
  if (isJsonObject(config.hmac) && config.hmac.secret !== HIDDEN_SECRET) config.hmac = { ...config.hmac, secret: '' };
  const secretsOf = (appId: string | undefined, actionId: string | undefined) =>
    (
      apps.find((app) => app.appId === appId)?.actions.find((action) => action.actionId === actionId)?.inputConfig
        .fields ?? []
    )
      .filter(({ type }) => type === 'secret')
      .map(({ key }) => key);
  return {
    ...draft,
    definition: {
      ...definition,
      trigger: { ...trigger, config } as typeof trigger,
      nodes: nodes.map((node) => {
        const secrets = secretsOf(node.appId, node.actionId);
        if (secrets.length === 0 || node.inputs === undefined) return node;
        const inputs = Object.entries(node.inputs).filter(([key, value]) => {
          return !secrets.includes(key) || (typeof value === 'string' && value.startsWith('{{'));
        });
        return { ...node, inputs: Object.fromEntries(inputs) };
      }),
    },
  };
}
