import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { Editor } from './Editor.tsx';
import { projects, storedWorkflow, workflowApps } from './editing/queries.ts';
import { NEW_DRAFT } from './model/draft.ts';
import { EDITOR } from './words.ts';

const words = EDITOR;

interface Begun {
  workflowId: string | undefined;
  address: string | undefined;
  made?: string;
  count: number;
}

/** Edits the workflow in the address, or a new one. A new workflow keeps its editor when it gets an address. */
export function WorkflowEditor() {
  const { workflowId: address } = useParams({ strict: false });
  const navigate = useNavigate();
  const [begun, setBegun] = useState<Begun>({ workflowId: address, address, count: 0 });
  if (begun.address !== address) {
    const { workflowId, made, count } = begun;
    const goesOn = address !== undefined && address === made;
    setBegun(goesOn ? { workflowId, address, count } : { workflowId: address, address, count: count + 1 });
  }
  if (begun.workflowId !== undefined) return <ExistingWorkflow key={begun.count} workflowId={begun.workflowId} />;
  const onMade = (made: string) => {
    setBegun((now) => ({ ...now, made }));
    const as = { replace: true, resetScroll: false, ignoreBlocker: true };
    void navigate({ to: `/workflows/${made}/edit`, search: (now) => now, ...as });
  };
  return <NewWorkflow key={begun.count} onMade={onMade} />;
}

function ExistingWorkflow({ workflowId }: { workflowId: string }) {
  const stored = useQuery(storedWorkflow(workflowId));
  const apps = useQuery(workflowApps());
  const error = stored.error ?? apps.error;
  if (stored.data === undefined || apps.data === undefined) {
    const again = () => void Promise.all([stored.refetch(), apps.refetch()]);
    return (
      <UnreadyPage
        title={words.loadingTitle}
        query={{ error, refetch: again }}
        missing={words.notFound}
        list="/workflows"
      />
    );
  }
  return <Editor stored={stored.data} initial={stored.data.draft} apps={apps.data} />;
}

function NewWorkflow({ onMade }: { onMade: (workflowId: string) => void }) {
  const apps = useQuery(workflowApps());
  const all = useQuery(projects());
  if (apps.data === undefined || all.data === undefined) {
    const again = () => void Promise.all([apps.refetch(), all.refetch()]);
    const error = apps.error ?? all.error;
    return (
      <UnreadyPage
        title={words.titleNew}
        query={{ error, refetch: again }}
        missing={words.notFound}
        list="/workflows"
      />
    );
  }
  // A single project needs no choice.
  const [only, ...more] = all.data;
  const projectId = only !== undefined && more.length === 0 ? only.id : '';
  return <Editor stored={undefined} initial={{ ...NEW_DRAFT, projectId }} apps={apps.data} onMade={onMade} />;
}
