import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projects, storedWorkflow, workflowApps } from '../data/editor.ts';
import { NEW_DRAFT } from '../editor/draft.ts';
import { Editor } from '../editor/Editor.tsx';
import { UnreadyPage } from '../parts/UnreadyPage.tsx';
import { EDITOR } from '../words/en/editor.ts';
import { WORDS } from '../words/en.ts';

const words = EDITOR;
const LIST = { to: '/workflows', label: WORDS.navigation.workflows } as const;

/** A workflow to change. */
export function WorkflowEditor() {
  const { workflowId } = useParams({ strict: false }) as { workflowId: string };
  const stored = useQuery(storedWorkflow(workflowId));
  const apps = useQuery(workflowApps());
  const error = stored.error ?? apps.error;
  if (stored.data === undefined || apps.data === undefined) {
    const again = () => void Promise.all([stored.refetch(), apps.refetch()]);
    return (
      <UnreadyPage title={words.loadingTitle} error={error} onRetry={again} missing={words.notFound} list={LIST} />
    );
  }
  return <Editor key={workflowId} stored={stored.data} initial={stored.data.draft} apps={apps.data} />;
}

/** A workflow that is not there yet. */
export function NewWorkflow() {
  const apps = useQuery(workflowApps());
  const all = useQuery(projects());
  if (apps.data === undefined || all.data === undefined) {
    const again = () => void Promise.all([apps.refetch(), all.refetch()]);
    const error = apps.error ?? all.error;
    return <UnreadyPage title={words.titleNew} error={error} onRetry={again} missing={words.notFound} list={LIST} />;
  }
  // Where there is one project alone, nobody has to choose it.
  const [only, ...more] = all.data;
  const projectId = only !== undefined && more.length === 0 ? only.id : '';
  return <Editor key="new" stored={undefined} initial={{ ...NEW_DRAFT, projectId }} apps={apps.data} />;
}
