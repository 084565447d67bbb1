import { Button, Menu } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { type ReactNode, useState } from 'react';
import { SAYS } from '../../ui/menuSays.ts';
import { problemTitle } from '../../ui/notices/problemText.ts';
import { WORDS } from '../../ui/words/words.ts';
import { type Entity, type Transition, transitionsOf } from './queries.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

interface MoveMenuProps {
  entity: Pick<Entity, 'id' | 'name'>;
  onMove: (move: Transition) => void;
}

interface Entry {
  says: ReactNode;
  act?: () => void;
  staysOpen?: boolean;
}

/** Lists the allowed moves, as an alternative to dragging. */
export function MoveMenu({ entity, onMove }: MoveMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...transitionsOf(entity.id), enabled: isOpen });
  const entries = (): Entry[] => {
    if (data !== undefined && data.transitions.length > 0) {
      return data.transitions.map((move) => ({ says: move.name, act: () => onMove(move) }));
    }
    if (data !== undefined) return [{ says: words.noMoves }];
    if (error === null) return [{ says: WORDS.loading }];
    if (isProblem(error, 'NOT_FOUND')) return [{ says: words.noSuchEntity }];
    return [{ says: `${problemTitle(error)}. ${WORDS.retryLoad}`, act: () => void refetch(), staysOpen: true }];
  };
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
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
        {entries().map(({ says, act, staysOpen = false }, at) => (
          <Menu.Item
            // The loading entry becomes the first move, so that it keeps the focus.
            key={at}
            {...(act === undefined ? SAYS : { onClick: act, closeMenuOnClick: !staysOpen })}
          >
            {says}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
