import { Button, Loader, Menu } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Entity, type Transition, transitionsOf } from '../../data/objects.ts';
import { OBJECTS } from '../../words/en/objects.ts';
import { WORDS } from '../../words/en.ts';

const words = OBJECTS;

interface MoveMenuProps {
  entity: Pick<Entity, 'id' | 'name'>;
  onMove: (move: Transition) => void;
}

/** The moves that are allowed now, for people who do not drag. */
export function MoveMenu({ entity, onMove }: MoveMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery({ ...transitionsOf(entity.id), enabled: isOpen });
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconArrowRight size={14} aria-hidden />}
          aria-label={words.moveOf(entity.name)}
        >
          {words.moveTo}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data === undefined && (
          <Menu.Item disabled aria-label={WORDS.loading}>
            <Loader size="xs" aria-hidden />
          </Menu.Item>
        )}
        {data?.transitions.length === 0 && <Menu.Item disabled>{words.noMoves}</Menu.Item>}
        {data?.transitions.map((move) => (
          <Menu.Item key={move.to} onClick={() => onMove(move)}>
            {move.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
