import './chat/chat.css';
import { ActionIcon, Anchor, Button, Grid, Group, Menu, Text, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { ME, useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { DeleteDialog } from '../../app/dialog/DeleteDialog.tsx';
import { usePageKeys } from '../../ui/keys/pageKeys.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { moneyText } from '../../ui/words/numbers.ts';
import { Conversation } from './chat/Conversation.tsx';
import { deleteTask, renameTask } from './chat/mutations.ts';
import { TASK_LIST, type TaskWhole, task, taskKey } from './chat/queries.ts';
import { TaskList } from './chat/TaskList.tsx';
import { AGENTS, CHAT } from './chat/words.ts';
import { agent } from './queries.ts';

const words = CHAT;

export function Task() {
  const { agentId, taskId } = useParams({ from: '/frame/agents/$agentId/tasks/$taskId' });
  const navigate = useNavigate();
  const may = useMay();
  const { isSuccess } = useQuery(ME);
  const mayChange = may('agents:use') || may('agents:write');
  const query = useQuery(task(agentId, taskId));
  const its = useQuery({ ...agent(agentId, may('agents:read')), enabled: isSuccess });
  usePageKeys([
    {
      key: 'a',
      does: words.toApproval,
      act: () => document.querySelector<HTMLElement>('.approval button')?.focus(),
    },
    ...(may('agents:use')
      ? [{ key: 'n', does: words.newTask, act: () => void navigate({ to: '/agents/$agentId', params: { agentId } }) }]
      : []),
  ]);
  const { data, error } = query;
  const agentName = its.data?.name ?? data?.agent?.name ?? AGENTS.title;
  const isMissing = isProblem(error) && error.status === 404;
  return (
    <Page
      title={data === undefined ? agentName : (data.name ?? words.untitled)}
      beside={
        <Group gap="xs">
          {data !== undefined && !isMissing && <Spent task={data} />}
          {may('agents:use') && (
            <Button component={Link} to={`/agents/${agentId}`} variant="default">
              {words.newTask}
            </Button>
          )}
          {data !== undefined && !isMissing && mayChange && <TaskMenu agentId={agentId} task={data} />}
        </Group>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 4, lg: 3 }} visibleFrom="md">
          <TaskList agentId={agentId} current={taskId} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8, lg: 9 }}>
          {data !== undefined && !isMissing && <Origin task={data} agentId={agentId} agentName={agentName} />}
          {query.isPending && <Loading />}
          {isMissing && <Text>{words.notFound}</Text>}
          {error !== null && !isMissing && <ProblemAlert error={error} onRetry={() => void query.refetch()} />}
          {data !== undefined && !isMissing && (
            <Conversation
              key={`${agentId} ${taskId}`}
              agentId={agentId}
              taskId={taskId}
              agentName={agentName}
              task={data}
              readAt={query.dataUpdatedAt}
            />
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Spent({ task: { usage } }: { task: TaskWhole }) {
  if (usage?.totalTokens === undefined) return null;
  const { cost, totalTokens, inputTokens = 0, outputTokens = 0 } = usage;
  return (
    <Text size="sm" title={words.usage(inputTokens, outputTokens)}>
      {words.tokens(totalTokens)}
      {cost !== undefined && ` · ${moneyText(cost.amount, cost.currency)}`}
    </Text>
  );
}

function Origin({ task, agentId, agentName }: { task: TaskWhole; agentId: string; agentName: string }) {
  const may = useMay();
  const { id, parentTask, parentExecution, toolExecutions = [] } = task;
  return (
    <Group gap="md" mb="sm">
      <Anchor component={Link} to={`/agents/${agentId}`} size="sm" underline="always" className="card-name">
        {agentName}
      </Anchor>
      {parentTask != null && (
        <Text size="sm">
          {words.calledBy}{' '}
          <Anchor
            renderRoot={(props) => (
              <Link
                to="/agents/$agentId/tasks/$taskId"
                params={{ agentId: parentTask.agentId, taskId: parentTask.id }}
                {...props}
              />
            )}
            underline="always"
          >
            {parentTask.name ?? words.untitled}
          </Anchor>
        </Text>
      )}
      {parentExecution != null && may('executions:read') && (
        <Text size="sm">
          {words.waitedFor}{' '}
          <Anchor component={Link} to={`/executions/${parentExecution.id}`} underline="always">
            {parentExecution.name ?? parentExecution.id}
          </Anchor>
        </Text>
      )}
      {toolExecutions.length > 0 && may('executions:read') && (
        <Anchor
          renderRoot={(props) => <Link to="/executions" search={{ task: `${agentId}/${id}` }} {...props} />}
          size="sm"
          underline="always"
        >
          {words.executions}
        </Anchor>
      )}
    </Group>
  );
}

interface TaskMenuProps {
  agentId: string;
  task: TaskWhole;
}

function TaskMenu({ agentId, task }: TaskMenuProps) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={words.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setDialog('rename')}>{words.rename}</Menu.Item>
          <Menu.Item onClick={() => setDialog('delete')}>{words.delete}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'rename' && <Rename agentId={agentId} task={task} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteDialog
          words={words}
          onDelete={() => deleteTask(agentId, task.id)}
          leave={() => navigate({ to: '/agents/$agentId', params: { agentId } })}
          own={taskKey(agentId, task.id)}
          list={TASK_LIST}
          onClose={close}
        />
      )}
    </>
  );
}

interface DialogProps extends TaskMenuProps {
  onClose: () => void;
}

function Rename({ agentId, task, onClose }: DialogProps) {
  const [name, setName] = useState(task.name ?? '');
  return (
    <ActDialog
      title={words.rename}
      button={words.save}
      dismiss={words.dismiss}
      onAct={() => renameTask(agentId, task.id, name.trim() === '' ? null : name.trim())}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </ActDialog>
  );
}
