import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { features } from '../../app/api/choices.ts';
import type { StopKind } from './mutations.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

export type ExecutionDialog = StopKind | 'retry' | 'acknowledge' | 'raw';

interface ExecutionActsProps {
  executionId: string;
  isOpen: boolean;
  mayRun: boolean;
  mayAcknowledge: boolean;
  onDialog: (dialog: ExecutionDialog) => void;
  onCopyLink: () => void;
}

export function ExecutionActs({ executionId, isOpen, mayRun, mayAcknowledge, ...on }: ExecutionActsProps) {
  const { onDialog, onCopyLink } = on;
  return (
    <Group gap="xs">
      <Button component={Link} to={`/executions/${executionId}/compare`} variant="default">
        {words.compare}
      </Button>
      {mayAcknowledge && (
        <Button variant="default" onClick={() => onDialog('acknowledge')}>
          {words.acknowledge}
        </Button>
      )}
      {mayRun && !isOpen && <Button onClick={() => onDialog('retry')}>{words.retry}</Button>}
      {mayRun && isOpen && (
        <Button variant="default" onClick={() => onDialog('cancel')}>
          {words.cancel}
        </Button>
      )}
      {mayRun && isOpen && (
        <Button variant="subtle" color="red" c="var(--ink-bad)" onClick={() => onDialog('terminate')}>
          {words.terminate}
        </Button>
      )}
      <ExecutionMenu executionId={executionId} onCopyLink={onCopyLink} onRaw={() => onDialog('raw')} />
    </Group>
  );
}

interface ExecutionMenuProps {
  executionId: string;
  onCopyLink: () => void;
  onRaw: () => void;
}

function ExecutionMenu({ executionId, onCopyLink, onRaw }: ExecutionMenuProps) {
  const { data } = useQuery(features());
  const temporal = data?.temporalUiUrl?.replace(/\/$/, '');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={words.menu}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onCopyLink}>{words.copyLink}</Menu.Item>
        <Menu.Item onClick={onRaw}>{words.raw.title}</Menu.Item>
        {temporal !== undefined && (
          <Menu.Item
            component="a"
            href={`${temporal}/namespaces/${data?.temporalNamespace ?? 'default'}/workflows/${executionId}`}
            target="_blank"
            rel="noreferrer"
          >
            {words.temporal}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
