import { Anchor, Button, Menu, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isProblem } from 'perdure-client';
import { type ReactNode, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { QUERIES } from '../../app/api/queries.ts';
import { Loading } from '../../ui/Loading.tsx';
import { failed, problemTitle } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { MENU_NOTE } from '../../ui/table/RowMenu.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { isPlain, MoveDialog, moveEntity, type WantedMove } from './MoveDialog.tsx';
import { cardsOf, type Entity, type ObjectType, type Transition, transitionsOf } from './queries.ts';
import { StateChip, stateName } from './StateChip.tsx';
import { labelOf, propertiesOf, valueText } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

type Search = SearchOf<'/frame/objects/$typeSlug'>;

const words = OBJECTS;

interface Dragged {
  entity: Entity;
  /** Undefined until they are loaded. */
  moves: readonly Transition[] | undefined;
}

/** Shows a column per state, in the type's order. Cards are moved by dragging or by their menu. */
export function ObjectBoard({ type, search }: { type: ObjectType; search: Search }) {
  const [dragged, setDragged] = useState<Dragged>();
  const [wanted, setWanted] = useState<WantedMove>();
  const states = type.stateSchema?.states ?? [];
  if (states.length === 0) return <Text>{words.noStates}</Text>;
  const move = (next: WantedMove) => {
    if (isPlain(next.move)) void moveEntity(type, next).catch(failed);
    else setWanted(next);
  };
  const drag = (entity: Entity) => {
    setDragged({ entity, moves: undefined });
    QUERIES.fetchQuery(transitionsOf(entity.id)).then(
      ({ transitions }) => setDragged((now) => (now?.entity === entity ? { entity, moves: transitions } : now)),
      failed,
    );
  };
  const drop = async (state: string) => {
    if (dragged === undefined) return;
    const { entity } = dragged;
    setDragged(undefined);
    if (entity.state === state) return;
    const { transitions } = await QUERIES.fetchQuery(transitionsOf(entity.id));
    const found = transitions.find(({ to }) => to === state);
    if (found === undefined) failed(new Error(words.notAllowed(entity.name, stateName(type, state))));
    else move({ entity, move: found });
  };
  const isAllowed = (state: string) =>
    dragged?.moves === undefined ? undefined : dragged.moves.some(({ to }) => to === state);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="board" aria-label={words.board} tabIndex={0}>
      {states.map(({ id }) => (
        <BoardColumn
          key={id}
          type={type}
          state={id}
          search={search}
          isTarget={dragged === undefined ? undefined : isAllowed(id)}
          onDrag={drag}
          onDragEnd={() => setDragged(undefined)}
          onDrop={() => void drop(id).catch(failed)}
          onMove={move}
        />
      ))}
      {wanted !== undefined && <MoveDialog type={type} wanted={wanted} onClose={() => setWanted(undefined)} />}
    </section>
  );
}

interface BoardColumnProps {
  type: ObjectType;
  state: string;
  search: Search;
  /** While a card is dragged: whether it may be dropped here. Otherwise, or before that is known, undefined. */
  isTarget: boolean | undefined;
  onDrag: (entity: Entity) => void;
  onDragEnd: () => void;
  onDrop: () => void;
  onMove: (wanted: WantedMove) => void;
}

function BoardColumn({ type, state, search, isTarget, onDrag, onDragEnd, onDrop, onMove }: BoardColumnProps) {
  const cards = useQuery(cardsOf(type.slug, state, search));
  const mayWrite = useMay()('objects:write');
  const rows = cards.data?.items ?? [];
  const total = cards.data?.pagination.total ?? 0;
  const shown = propertiesOf(type.attributeSchema).slice(0, 2);
  const name = stateName(type, state);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop target; the menu of each card does the same
    <div
      className="board-column"
      data-target={isTarget}
      // Accepted in every column, so that a drop that is not allowed gets an explanation.
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
    >
      <Title order={2} size="h6" className="board-head">
        <StateChip type={type} state={state} /> {cards.data !== undefined && <span>{total.toLocaleString('en')}</span>}
      </Title>
      {cards.isPending && <Loading height={60} />}
      {cards.error !== null && <ProblemAlert error={cards.error} onRetry={() => void cards.refetch()} />}
      <ul className="board-cards" aria-label={name}>
        {rows.map((entity) => (
          <li
            key={entity.id}
            className="board-card"
            draggable={mayWrite}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', entity.name);
              onDrag(entity);
            }}
            onDragEnd={onDragEnd}
          >
            <Anchor
              renderRoot={(props) => (
                <Link to="/objects/$typeSlug/$id" params={{ typeSlug: type.slug, id: entity.id }} {...props} />
              )}
              underline="always"
              fw={600}
              size="sm"
            >
              {entity.name}
            </Anchor>
            {shown.map(([attribute, schema]) =>
              entity.attributes?.[attribute] === undefined ? null : (
                <Text key={attribute} size="xs" lineClamp={1}>
                  {labelOf(attribute, schema)}: {valueText(entity.attributes[attribute])}
                </Text>
              ),
            )}
            {mayWrite && <MoveMenu entity={entity} onMove={(move) => onMove({ entity, move })} />}
          </li>
        ))}
      </ul>
      {cards.data !== undefined && rows.length === 0 && <Text size="sm">{words.emptyState}</Text>}
      {total > rows.length && (
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/objects/$typeSlug"
              params={{ typeSlug: type.slug }}
              search={{ tab: 'table', state }}
              {...props}
            />
          )}
          underline="always"
          size="sm"
        >
          {words.moreInTable(total - rows.length)}
        </Anchor>
      )}
    </div>
  );
}

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
function MoveMenu({ entity, onMove }: MoveMenuProps) {
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
            {...(act === undefined ? MENU_NOTE : { onClick: act, closeMenuOnClick: !staysOpen })}
          >
            {says}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
