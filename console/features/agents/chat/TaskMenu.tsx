import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ActDialog } from '../../../app/dialog/ActDialog.tsx';
import { DeleteDialog } from '../../../app/dialog/DeleteDialog.tsx';
import { deleteTask, renameTask } from './mutations.ts';
import { TASK_LIST, type TaskWhole, taskKey } from './queries.ts';
import { CHAT } from './words.ts';

const words = CHAT;

interface TaskMenuProps {
  agentId: string;
  task: TaskWhole;
}

export function TaskMenu({ agentId, task }: TaskMenuProps) {
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
