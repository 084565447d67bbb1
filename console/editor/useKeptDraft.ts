import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AppManifest } from '../../domain/app/manifest.ts';
import { ME } from '../data/me.ts';
import { personId } from '../data/personId.ts';
import { type Draft, isSameDraft } from './draft.ts';
import { draftKey, forget, type KeptDraft, keep, readKept } from './keptDraft.ts';

const PAUSE_MS = 400;

/** Keeps what is not saved in this browser, and finds what an earlier visit left there. */
export function useKeptDraft(
  workflowId: string | undefined,
  baseline: { draft: Draft; etag: string },
  draft: Draft,
  apps: readonly AppManifest[],
) {
  const { data: me } = useQuery(ME);
  const key = me === undefined ? undefined : draftKey(personId(me), me.workspace.id, workflowId);
  /** Undefined until it was looked for; null: there is none, or it was decided about. */
  const [found, setFound] = useState<KeptDraft | null>();
  useEffect(() => {
    if (key === undefined) return;
    const kept = readKept(key);
    setFound(kept === undefined || isSameDraft(kept.draft, baseline.draft) ? null : kept);
  }, [key]);
  useEffect(() => {
    if (key === undefined || found !== null) return;
    const timer = setTimeout(() => {
      if (isSameDraft(draft, baseline.draft)) forget(key);
      else keep(key, { draft, etag: baseline.etag, at: Date.now() }, apps);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, found, draft, baseline, apps]);
  return {
    found: found ?? undefined,
    decided: () => setFound(null),
    drop: () => {
      if (key !== undefined) forget(key);
    },
  };
}
