import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { isJsonObject, type JsonObject } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { browserTexts, KEPT_MS, keysWith, STORED, writeIfRoom } from '../../../app/storage/browserStorage.ts';
import type { Draft } from '../model/draft.ts';

/** A draft as the browser keeps it. */
export interface KeptDraft {
  draft: Draft;
  /** The version that it began with. */
  etag: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Where the drafts of one workflow, or of new ones, are kept: of each person of a browser in each of their workspaces. Each
 * tab adds a name of its own to it, so that none writes over what another one keeps.
 */
export function draftPlace(userId: string, workspaceId: string, workflowId: string | undefined): string {
  return `${STORED.workflowDrafts.key}${userId}.${workspaceId}.${workflowId ?? 'new'}.`;
}

/** The keys of all drafts that are kept there. */
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
    // Not written by this version: nothing that could be gone on with.
  }
  browserTexts().removeItem(key);
  return undefined;
}

/** Keeps it as far as the browser has room: a draft is a help, and its loss no reason to stop the work. */
export function keep(key: string, kept: KeptDraft, apps: readonly AppManifest[]): void {
  const draft = withoutSecrets(kept.draft, apps);
  writeIfRoom(browserTexts(), key, JSON.stringify({ ...kept, draft }));
}

export function forget(key: string): void {
  browserTexts().removeItem(key);
}

/** Takes a draft that another tab has left; undefined where a third one was quicker. */
export function take(key: string, own: string): KeptDraft | undefined {
  const kept = readKept(key);
  const text = browserTexts().getItem(key);
  if (kept === undefined || text === null) return undefined;
  // In this order: there may be no room for it twice.
  browserTexts().removeItem(key);
  browserTexts().setItem(own, text);
  return kept;
}

/** Secrets that were typed are not written into the browser: they have to be typed again. Masks of stored ones stay. */
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
