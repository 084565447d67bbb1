import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { projects, storedWorkflow, workflowApps } from '../data/editor.ts';
import { NEW_DRAFT } from '../editor/draft.ts';
import { Editor } from '../editor/Editor.tsx';
import { Loading } from '../parts/Loading.tsx';
import { Page } from '../parts/Page.tsx';
import { ProblemAlert } from '../parts/ProblemAlert.tsx';
import { EDITOR } from '../words/en/editor.ts';

const words = EDITOR;

/** A workflow to change. */
export function WorkflowEditor() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const stored = useQuery(storedWorkflow(workflowId));
  const apps = useQuery(workflowApps());
  const error = stored.error ?? apps.error;
  if (stored.data === undefined || apps.data === undefined) {
    const again = () => void Promise.all([stored.refetch(), apps.refetch()]);
    return <NoEditor title={words.loadingTitle} error={error} onRetry={again} />;
  }
  return <Editor key={workflowId} stored={stored.data} initial={stored.data.draft} apps={apps.data} />;
}

/** A workflow that is not there yet. */
export function NewWorkflow() {
  const apps = useQuery(workflowApps());
  const all = useQuery(projects());
  if (apps.data === undefined || all.data === undefined) {
    const again = () => void Promise.all([apps.refetch(), all.refetch()]);
    return <NoEditor title={words.titleNew} error={apps.error ?? all.error} onRetry={again} />;
  }
  // Where there is one project alone, nobody has to choose it.
  const [only, ...more] = all.data;
  const projectId = only !== undefined && more.length === 0 ? only.id : '';
  return <Editor key="new" stored={undefined} initial={{ ...NEW_DRAFT, projectId }} apps={apps.data} />;
}

interface NoEditorProps {
  title: string;
  error?: unknown;
  onRetry?: () => void;
}

function NoEditor({ title, error = null, onRetry }: NoEditorProps) {
  const isMissing = isProblem(error) && error.status === 404;
  return (
    <Page title={title}>
      {error === null && <Loading />}
      {isMissing && <Text>{words.notFound}</Text>}
      {error !== null && !isMissing && <ProblemAlert error={error} {...(onRetry === undefined ? {} : { onRetry })} />}
    </Page>
  );
}
