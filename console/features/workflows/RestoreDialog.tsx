import { useQueryClient } from '@tanstack/react-query';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { done } from '../../ui/notices.tsx';
import { ChangedMeanwhile, isChangedMeanwhile } from '../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { restoreVersion } from './mutations.ts';
import { oneVersion, refreshWorkflows, type WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.versions;

interface RestoreDialogProps {
  workflow: WorkflowWhole;
  /** The ETag of the workflow as the page shows it, so that a later change is not overwritten. */
  etag: string | undefined;
  version: number;
  onClose: () => void;
}

export function RestoreDialog({ workflow, etag, version, onClose }: RestoreDialogProps) {
  const queries = useQueryClient();
  const newest = workflow.version ?? 1;
  const restore = async () => {
    const earlier = await queries.fetchQuery(oneVersion(workflow.id, version));
    const stored = await restoreVersion(workflow, etag, earlier);
    done(stored.version === newest ? words.restoredSame : words.restored(stored.version));
    refreshWorkflows(queries);
  };
  return (
    <ActDialog
      title={words.restoreTitle(version)}
      means={words.restoreMeans(newest + 1)}
      button={words.restore}
      dismiss={WORDS.executions.dismiss}
      explain={(error) => (isChangedMeanwhile(error) ? <ChangedMeanwhile /> : undefined)}
      onAct={restore}
      onClose={onClose}
    />
  );
}
