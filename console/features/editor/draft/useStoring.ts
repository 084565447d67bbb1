import { useEffect, useState } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { failed, noticesAbout } from '../../../ui/notices.tsx';
import { readStored, type StoredWorkflow } from '../editing/queries.ts';
import { type Draft, isSameDraft } from '../model/draft.ts';
import { type PlacedProblem, placed } from '../model/placedProblems.ts';
import { EDITOR } from '../words.ts';
import { tagOf } from './keptDraft.ts';
import type { Baseline, SaveAct, Saved } from './mutations.ts';
import type { useDraft } from './useDraft.ts';
import { useKeptDraft } from './useKeptDraft.ts';
import { loadMutations, useSave } from './useSave.ts';

const words = EDITOR;

export const SAVING = noticesAbout('saving');

interface Storing {
  stored: StoredWorkflow | undefined;
  initial: Draft;
  apps: readonly AppManifest[];
  editing: Pick<ReturnType<typeof useDraft>, 'draft' | 'replace' | 'settle'>;
  isReadOnly: boolean;
  onStored: () => void;
  onMade: ((workflowId: string) => void) | undefined;
  onRefused: (first: PlacedProblem) => void;
  onConflict: () => void;
}

const baselineOf = ({ id, draft, published, version, managedByCode, tags }: StoredWorkflow): Baseline => ({
  ...{ id, draft, published, version, managedByCode },
  ...{ tag: tagOf(tags), hasDraft: tags.draft !== undefined },
});

/** Tracks what the draft is based on, saves and publishes it, and keeps unsaved changes in this browser. */
export function useStoring({ stored, initial, apps, editing, isReadOnly, ...on }: Storing) {
  const { draft, replace, settle } = editing;
  const [baseline, setBaseline] = useState<Baseline>(() =>
    stored === undefined
      ? {
          ...{ id: undefined, draft: initial, published: undefined, version: undefined },
          ...{ managedByCode: false, tag: '', hasDraft: false },
        }
      : baselineOf(stored),
  );
  const workflowId = baseline.id;
  const kept = useKeptDraft(workflowId, baseline, draft, apps);
  const [refused, setRefused] = useState<{ draft: Draft; problems: PlacedProblem[] }>();
  /** The act that continues after a conflict. */
  const [lastAct, setLastAct] = useState<SaveAct>('save');
  const isMending = refused !== undefined && refused.draft !== draft;
  useEffect(() => {
    if (isMending) SAVING.forget();
  }, [isMending]);
  const saving = useSave();
  /** Returns the new baseline; undefined if nothing was stored, which a notice or a dialog reports. */
  const store = async (act: SaveAct, from: Baseline = baseline): Promise<Baseline | undefined> => {
    if (isReadOnly || saving.isPending) return undefined;
    setLastAct(act);
    let saved: Saved;
    try {
      saved = await saving.mutateAsync({ act, draft, baseline: from });
    } catch (error) {
      SAVING.failed(error);
      return undefined;
    }
    if (saved === 'conflict') {
      on.onConflict();
      return undefined;
    }
    if ('problems' in saved) {
      const problems = placed(saved.problems, draft.definition);
      setRefused({ draft, problems });
      const [first] = problems;
      if (first !== undefined) on.onRefused(first);
      SAVING.failed(new Error(words.problems.mustFix));
      return undefined;
    }
    if (act === 'run') SAVING.forget();
    else SAVING.done(saidOf(act, saved, draft, from));
    kept.drop();
    const next = baselineOf(saved.stored);
    setBaseline(next);
    settle(draft, next.draft);
    on.onStored();
    if (workflowId === undefined) on.onMade?.(saved.stored.id);
    return next;
  };
  const take = (theirs: StoredWorkflow) => {
    replace(theirs.draft);
    setBaseline(baselineOf(theirs));
  };
  return {
    baseline,
    kept,
    /** Why the API rejected the current draft; undefined if it did not. */
    refused: refused?.draft === draft ? refused.problems : undefined,
    isSaving: saving.isPending,
    store,
    /** Resumes a found draft. A save asks first if somebody else has saved since the draft began. */
    restore: async (key: string) => {
      const taken = await kept.take(key);
      if (taken === undefined) throw new Error(words.draftTaken);
      replace(taken.draft);
      setBaseline((now) => ({ ...now, tag: taken.etag }));
    },
    overwrite: async () => {
      const theirs = await readStored(workflowId ?? '').catch(failed);
      if (theirs !== undefined) await store(lastAct, baselineOf(theirs));
    },
    /** Replaces the draft with what somebody else has stored. Returns false if it cannot be read. */
    takeTheirs: async (): Promise<boolean> => {
      const theirs = await readStored(workflowId ?? '').catch(failed);
      if (theirs !== undefined) take(theirs);
      return theirs !== undefined;
    },
    /** Returns to the published definition. */
    discard: async () => {
      if (workflowId === undefined) return;
      const { discardDraft } = await loadMutations();
      await discardDraft(workflowId);
      take(await readStored(workflowId));
      SAVING.done(words.discarded);
    },
  };
}

function saidOf(
  act: SaveAct,
  { stored, wasSame }: Exclude<Saved, 'conflict' | { problems: unknown }>,
  draft: Draft,
  { published }: Baseline,
): string {
  const version = stored.version ?? 0;
  if (wasSame)
    return (published !== undefined && isSameDraft(draft, published) ? words.same : words.sameDefinition)(version);
  return stored.tags.draft !== undefined && act === 'save' ? words.draftSaved : words.saved(version);
}
