import type { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { loadMutations } from './draft/useSave.ts';
import type { useStoring } from './draft/useStoring.ts';
import { useEditing } from './editing/Editing.tsx';
import type { DraftChange } from './model/draft.ts';
import type { useRun } from './run/useRun.ts';

const loadDialogs = () => import('./EditorDialogs.tsx');
// Preloaded, so that they open even if the API is unreachable.
const ConflictDialog = lazy(async () => ({ default: (await loadDialogs()).ConflictDialog }));
const LeaveDialog = lazy(async () => ({ default: (await loadDialogs()).LeaveDialog }));
const ChangesDialog = lazyPart(() => import('./draft/ChangesDialog.tsx'), 'ChangesDialog');
const RunInput = lazyPart(() => import('./run/RunInput.tsx'), 'RunInput');

export type EditorDialog = 'changes' | 'conflict';

interface EditorOverlaysProps {
  dialog: EditorDialog | undefined;
  onClose: () => void;
  differences: { changes: DraftChange[]; moved: number };
  storing: ReturnType<typeof useStoring>;
  running: ReturnType<typeof useRun>;
  blocker: ReturnType<typeof useBlocker>;
  isDirty: boolean;
  isUnread: boolean;
}

/** The dialogs of the editor. */
export function EditorOverlays(props: EditorOverlaysProps) {
  const { dialog, onClose, differences, storing, running, blocker, isDirty, isUnread } = props;
  const { draft, workflowId } = useEditing();
  const { published, hasDraft } = storing.baseline;
  useEffect(() => {
    // The dialogs may be needed while the server is unreachable. If this load fails, they are loaded again when shown.
    if (isDirty) void Promise.all([loadDialogs(), loadMutations()]).catch(() => undefined);
  }, [isDirty]);
  return (
    <Suspense fallback={null}>
      {dialog === 'changes' && (
        <ChangesDialog
          {...differences}
          isPublished={published !== undefined}
          onDiscard={published !== undefined && hasDraft ? storing.discard : undefined}
          onClose={onClose}
        />
      )}
      {running.isAsking && (
        <RunInput isBusy={running.isStarting} error={running.error} onRun={running.runWith} onClose={running.cancel} />
      )}
      {dialog === 'conflict' && workflowId !== undefined && (
        <ConflictDialog
          {...{ workflowId, draft, onClose }}
          isBusy={storing.isSaving}
          onReload={async () => {
            if (await storing.takeTheirs()) onClose();
          }}
          onOverwrite={storing.overwrite}
        />
      )}
      {blocker.status === 'blocked' && (
        <LeaveDialog isUnread={isUnread} onStay={blocker.reset} onLeave={blocker.proceed} />
      )}
    </Suspense>
  );
}
