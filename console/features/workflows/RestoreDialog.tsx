import { useQueryClient } from '@tanstack/react-query';
import { ifMatch } from '../../app/api/ifMatch.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { client } from '../../app/session/session.ts';
import { done } from '../../ui/notices/notices.tsx';
import { ChangedMeanwhile, isChangedMeanwhile } from '../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { oneVersion } from './queries/versions.ts';
import type { WorkflowWhole } from './queries/workflows.ts';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS.versions;

interface RestoreDialogProps {
  workflow: WorkflowWhole;
  /** Of the workflow as the page shows it: a change since then is not overwritten. */
  etag: string | undefined;
  version: number;
  onClose: () => void;
}

/** Stores the definition of an earlier version as the newest one. */
export function RestoreDialog({ workflow, etag, version, onClose }: RestoreDialogProps) {
  const queries = useQueryClient();
  const newest = workflow.version ?? 1;
  const restore = async () => {
    const {
      triggerNode,
      nodes = [],
      edges = [],
      output,
      labels,
    } = await queries.fetchQuery(oneVersion(workflow.id, version));
    const stored = await client.upsertWorkflow({
      path: { projectId: workflow.project?.id ?? '' },
      ...ifMatch(etag),
      body: {
        ...{ slug: workflow.slug ?? '', name: workflow.name, managedByCode: false },
        ...{ nodes, edges, labels: labels ?? {} },
        ...(triggerNode === undefined ? {} : { trigger: triggerNode }),
        ...(output == null ? {} : { output }),
      },
    });
    done(stored.version === newest ? words.restoredSame : words.restored(stored.version));
    for (const key of ['getWorkflow', 'listWorkflows', 'listWorkflowVersions']) {
      void queries.invalidateQueries({ queryKey: [key] });
    }
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
