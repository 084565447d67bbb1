import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { choices } from '../../app/api/choices.ts';
import { Fact } from '../../ui/Fact.tsx';
import { useCatalogueNames } from '../catalogue/catalogueNames.ts';
import { ExecutionsLink } from '../executions/ExecutionsLink.tsx';
import type { WorkflowWhole } from './queries/workflows.ts';
import { ManagedByCode, WorkflowState } from './WorkflowState.tsx';
import { WORKFLOWS } from './words.ts';

const words = WORKFLOWS;

export function WorkflowFacts({ workflow }: { workflow: WorkflowWhole }) {
  const { id, slug, version, project, description, managedByCode, heldExecutions = 0, maxConcurrent } = workflow;
  const { subWorkflowIds = [], onFailureWorkflowId, usedBy = [], usedByTotal = 0, triggerAndActionIds } = workflow;
  const { appName } = useCatalogueNames();
  const apps = [...new Set(triggerAndActionIds?.actionIds.map((each) => each.split('.')[0] ?? each))].map(appName);
  return (
    <>
      <div className="badges">
        <WorkflowState workflow={workflow} />
        {managedByCode === true && <ManagedByCode />}
        <Text size="sm" component="span">
          {slug}
          {version !== null && ` · ${words.version(version ?? 1)}`}
        </Text>
        {project !== undefined && <Fact name={words.project}>{project.name}</Fact>}
        {heldExecutions > 0 && (
          <Text size="sm" component="span">
            <ExecutionsLink search={{ workflow: id, held: 'true' }}>{words.held(heldExecutions)}</ExecutionsLink>
            {maxConcurrent != null && ` (${words.limit(maxConcurrent)})`}
          </Text>
        )}
      </div>
      {version === null && <Text mb="sm">{words.unpublishedMeans}</Text>}
      {description != null && (
        <Text mb="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {description}
        </Text>
      )}
      <Group gap="lg" mb="sm">
        {apps.length > 0 && <Fact name={words.apps}>{apps.join(', ')}</Fact>}
        {subWorkflowIds.length > 0 && (
          <Fact name={words.calls}>
            <WorkflowLinks ids={subWorkflowIds} />
          </Fact>
        )}
        {onFailureWorkflowId != null && (
          <Fact name={words.errorWorkflow}>
            <WorkflowLinks ids={[onFailureWorkflowId]} />
          </Fact>
        )}
        {usedByTotal > 0 && (
          <Fact name={words.usedBy}>
            <Users users={usedBy} total={usedByTotal} />
          </Fact>
        )}
      </Group>
    </>
  );
}

function WorkflowLinks({ ids }: { ids: readonly string[] }) {
  const { data: names = [] } = useQuery(choices('listWorkflows'));
  return <Links ids={ids} names={names} place="/workflows" />;
}

/** Links resources that have a page. `total` also counts those that the user may not see. */
function Users({ users, total }: { users: NonNullable<WorkflowWhole['usedBy']>; total: number }) {
  return (
    <>
      {users.map(({ type, id, name }, index) => (
        <span key={`${type} ${id}`}>
          {index > 0 && ', '}
          {words.kinds[type]} {type === 'project' ? name : <PageLink to={`/${type}s/${id}`}>{name}</PageLink>}
        </span>
      ))}
      {total > users.length && ` ${words.moreUsers(users.length, total)}`}
    </>
  );
}

function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} underline="always">
      {children}
    </Anchor>
  );
}

interface LinksProps {
  ids: readonly string[];
  names: readonly { id: string; name?: string }[];
  place: string;
}

function Links({ ids, names, place }: LinksProps) {
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <PageLink to={`${place}/${id}`}>{names.find((each) => each.id === id)?.name ?? id}</PageLink>
    </span>
  ));
}
