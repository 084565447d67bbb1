import { useEffect, useState } from 'react';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import { failed, noticesAbout } from '../../../ui/notices/notices.tsx';
import { readStored, type StoredWorkflow } from '../editing/queries.ts';
import { type Draft, isSameDraft } from '../model/draft.ts';
import { placed } from '../model/placedProblems.ts';
import type { PlacedProblem } from '../model/problemPlace.ts';
import { EDITOR } from '../words/editor.ts';
import { useSave } from './mutations.ts';
import type { useDraft } from './useDraft.ts';
import { useKeptDraft } from './useKeptDraft.ts';

const words = EDITOR;

export const SAVING = noticesAbout('saving');

interface Storing {
  stored: StoredWorkflow | undefined;
  initial: Draft;
  apps: readonly AppManifest[];
  editing: Pick<ReturnType<typeof useDraft>, 'draft' | 'change' | 'settle'>;
  isReadOnly: boolean;
  onStored: () => void;
  onMade: ((workflowId: string) => void) | undefined;
  onRefused: (first: PlacedProblem) => void;
  onConflict: () => void;
}

/** Tracks the version the draft is based on, saves it, and keeps unsaved changes in this browser. */
export function useStoring({ stored, initial, apps, editing, isReadOnly, ...on }: Storing) {
  const { draft, change, settle } = editing;
  const [baseline, setBaseline] = useState({
    ...{ id: stored?.id, draft: initial },
    ...{ etag: stored?.etag ?? '', version: stored?.version },
  });
  const workflowId = baseline.id;
  const kept = useKeptDraft(workflowId, baseline, draft, apps);
  const [refused, setRefused] = useState<{ draft: Draft; problems: PlacedProblem[] }>();
  const isMending = refused !== undefined && refused.draft !== draft;
  useEffect(() => {
    if (isMending) SAVING.forget();
  }, [isMending]);
  const saving = useSave(baseline.version);
  const save = (etag: string | undefined = baseline.etag || undefined) => {
    if (isReadOnly || saving.isPending) return;
    saving.mutate(
      { draft, workflowId, etag },
      {
        onError: SAVING.failed,
        onSuccess: (saved) => {
          if (saved === 'conflict') return on.onConflict();
          if ('problems' in saved) {
            const problems = placed(saved.problems, draft.definition);
            setRefused({ draft, problems });
            const [first] = problems;
            if (first !== undefined) on.onRefused(first);
            return SAVING.failed(new Error(words.problems.mustFix));
          }
          const { version, etag: next, id, draft: storedDraft } = saved.stored;
          const said = isSameDraft(draft, baseline.draft) ? words.same : words.sameDefinition;
          SAVING.done((saved.wasSame ? said : words.saved)(version));
          kept.drop();
          setBaseline({ id, draft: storedDraft, etag: next, version });
          settle(draft, storedDraft);
          on.onStored();
          if (workflowId === undefined) on.onMade?.(id);
        },
      },
    );
  };
  return {
    baseline,
    kept,
    /** Why the API rejected the current draft; undefined if it did not. */
    refused: refused?.draft === draft ? refused.problems : undefined,
    isSaving: saving.isPending,
    save: () => save(),
    /** Resumes a found draft. A save asks first if another version was stored since the draft began. */
    restore: async (key: string) => {
      const taken = await kept.take(key);
      if (taken === undefined) throw new Error(words.draftTaken);
      change(() => taken.draft);
      setBaseline((now) => ({ ...now, etag: taken.etag }));
    },
    overwrite: async () => {
      const theirs = await readStored(workflowId ?? '').catch(failed);
      if (theirs !== undefined) save(theirs.etag);
    },
    /** Replaces the draft with the version that somebody else has stored. Returns false if it cannot be read. */
    takeTheirs: async (): Promise<boolean> => {
      const theirs = await readStored(workflowId ?? '').catch(failed);
      if (theirs === undefined) return false;
      const { draft: theirDraft, etag, version } = theirs;
      change(() => theirDraft);
      setBaseline({ id: theirs.id, draft: theirDraft, etag, version });
      return true;
    },
  };
}
