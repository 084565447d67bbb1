import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { oneVersion } from '../data/versions.ts';
import type { WorkflowWhole } from '../data/workflows.ts';
import { client } from '../session.ts';
import { WORKFLOWS } from '../words/en/workflows.ts';
import { WORDS } from '../words/en.ts';
import { done } from './notices.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';

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
  const restore = useMutation({
    mutationFn: async () => {
      const {
        triggerNode,
        nodes = [],
        edges = [],
        output,
        labels,
      } = await queries.fetchQuery(oneVersion(workflow.id, version));
      return await client.upsertWorkflow({
        path: { projectId: workflow.project?.id ?? '' },
        ...(etag === undefined ? {} : { headers: { 'if-match': etag } }),
        body: {
          ...{ slug: workflow.slug ?? '', name: workflow.name, managedByCode: false },
          ...{ nodes, edges, labels: labels ?? {} },
          ...(triggerNode === undefined ? {} : { trigger: triggerNode }),
          ...(output == null ? {} : { output }),
        },
      });
    },
    onSuccess: (stored) => {
      done(stored.version === newest ? words.restoredSame : words.restored(stored.version));
      for (const key of ['getWorkflow', 'listWorkflows', 'listWorkflowVersions']) {
        void queries.invalidateQueries({ queryKey: [key] });
      }
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={words.restoreTitle(version)}>
      <Stack>
        <Text>{words.restoreMeans(newest + 1)}</Text>
        {isProblem(restore.error, 'PRECONDITION_FAILED') && <Text role="alert">{words.changedMeanwhile}</Text>}
        {restore.error !== null && !isProblem(restore.error, 'PRECONDITION_FAILED') && (
          <ProblemAlert error={restore.error} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {WORDS.executions.dismiss}
          </Button>
          <Button loading={restore.isPending} onClick={() => restore.mutate()}>
            {words.restore}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
