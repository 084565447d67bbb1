import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { features } from '../../app/api/features.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION;

interface ExecutionMenuProps {
  executionId: string;
  onCopyLink: () => void;
  onRaw: () => void;
}

export function ExecutionMenu({ executionId, onCopyLink, onRaw }: ExecutionMenuProps) {
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
