import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WorkButton } from '../../ui/WorkButton.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { ReadableValue } from '../values/ReadableValue.tsx';
import { EntityForm } from './EntityForm.tsx';
import { isPlain, MoveDialog, moveEntity } from './MoveDialog.tsx';
import { deleteEntity, refreshObjects, restoreEntity } from './mutations.ts';
import {
  type Entity as EntityData,
  historyPages,
  type ObjectType,
  oneObject,
  queueItemsOf,
  type Transition,
  transitionsOf,
  typeBySlug,
} from './queries.ts';
import { useReferences } from './references.ts';
import { StateChip } from './StateChip.tsx';
import { hasParts, labelOf, propertiesOf, referencesOf, valueText } from './schemaFields.ts';
import { OBJECTS } from './words.ts';
import './objects.css';

const words = OBJECTS;

export function Entity() {
  const { typeSlug, id } = useParams({ from: '/frame/objects/$typeSlug/$id' });
  const entity = useQuery(oneObject(id));
  const type = useQuery(typeBySlug(typeSlug));
  if (entity.data === undefined || type.data === undefined) {
    const again = () => void Promise.all([entity.refetch(), type.refetch()]);
    return (
      <UnreadyPage
        title={words.title}
        query={{ error: entity.error ?? type.error, refetch: again }}
        missing={words.noSuchEntity}
        list="/objects"
      />
    );
  }
  return <Whole entity={entity.data} type={type.data} />;
}

function Whole({ entity, type }: { entity: EntityData; type: ObjectType }) {
  const navigate = useNavigate();
  const may = useMay();
  const mayWrite = may('objects:write');
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const isDeleted = entity.deletedAt != null;
  const close = () => setDialog(undefined);
  const restore = async () => {
    await restoreEntity(entity.id);
    done(words.restored(entity.name));
  };
  return (
    <Page
      title={entity.name}
      beside={
        mayWrite && (
          <Group gap="xs">
            {isDeleted ? (
              <WorkButton onAct={restore}>{words.restore}</WorkButton>
            ) : (
              <>
                <Button variant="default" onClick={() => setDialog('edit')}>
                  {words.edit}
                </Button>
                <Button variant="subtle" color="red" c="var(--ink-bad)" onClick={() => setDialog('delete')}>
                  {words.delete}
                </Button>
              </>
            )}
          </Group>
        )
      }
    >
      <Stack gap="lg">
        <Text size="sm">
          <Anchor
            renderRoot={(props) => <Link to="/objects/$typeSlug" params={{ typeSlug: type.slug }} {...props} />}
            underline="always"
          >
            {type.name}
          </Anchor>
          {' · '}
          {words.created} <Moment at={entity.createdAt} />
          {entity.createdBy != null && ` ${words.by(entity.createdBy.name)}`}
          {' · '}
          {isDeleted ? words.deletedAt : words.changed} <Moment at={entity.deletedAt ?? entity.updatedAt} />
          {entity.owner != null && ` · ${words.owner}: ${entity.owner.name}`}
        </Text>
        {type.stateSchema != null && <Moves entity={entity} type={type} mayMove={mayWrite && !isDeleted} />}
        <Attributes entity={entity} type={type} />
        <EntityHistory entityId={entity.id} type={type} />
        {may('queues:read') && <EntityItems entityId={entity.id} />}
      </Stack>
      {dialog === 'edit' && <EntityForm type={type} entity={entity} onClose={close} />}
      {dialog === 'delete' && (
        <ActDialog
          title={words.deleteTitle(entity.name)}
          means={words.deleteMeans}
          button={words.delete}
          isDangerous
          onAct={async () => {
            await deleteEntity(entity.id);
            await navigate({ to: '/objects/$typeSlug', params: { typeSlug: type.slug } });
            await refreshObjects();
            done(words.gone(entity.name));
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Moves({ entity, type, mayMove }: { entity: EntityData; type: ObjectType; mayMove: boolean }) {
  const moves = useQuery({ ...transitionsOf(entity.id), enabled: mayMove });
  const [wanted, setWanted] = useState<Transition>();
  const move = async (next: Transition) => {
    if (isPlain(next)) await moveEntity(type, { entity, move: next });
    else setWanted(next);
  };
  return (
    <section aria-label={words.moves}>
      <Group gap="xs">
        <div role="status">
          <StateChip type={type} state={entity.state} />
        </div>
        {mayMove && moves.data?.transitions.length === 0 && <Text size="sm">{words.noMoves}</Text>}
        {mayMove &&
          moves.data?.transitions.map((each) => (
            <WorkButton key={each.to} size="xs" variant="light" onAct={() => move(each)}>
              {each.name}
            </WorkButton>
          ))}
      </Group>
      {moves.error !== null && <ProblemAlert error={moves.error} isRead />}
      {wanted !== undefined && (
        <MoveDialog type={type} wanted={{ entity, move: wanted }} onClose={() => setWanted(undefined)} />
      )}
    </section>
  );
}

function Attributes({ entity: { attributes = {} }, type }: { entity: EntityData; type: ObjectType }) {
  const references = useReferences(type);
  const schemas = new Map(propertiesOf(type.attributeSchema));
  const slugs = referencesOf(type.attributeSchema);
  const names = [...schemas.keys(), ...Object.keys(attributes).filter((name) => !schemas.has(name))];
  return (
    <section aria-label={words.attributes}>
      <Title order={2} size="h4" mb="xs">
        {words.attributes}
      </Title>
      {names.length === 0 && <Text>{words.noAttributes}</Text>}
      <dl className="attributes">
        {names.map((name) => {
          const value = attributes[name];
          const slug = slugs.get(name);
          return (
            <div key={name} className="attribute">
              <dt>{labelOf(name, schemas.get(name))}</dt>
              <dd>
                {slug !== undefined && typeof value === 'string' ? (
                  <Anchor
                    renderRoot={(props) => (
                      <Link to="/objects/$typeSlug/$id" params={{ typeSlug: slug, id: value }} {...props} />
                    )}
                    underline="always"
                  >
                    {references.get(slug)?.find((each) => each.value === value)?.label ?? value}
                  </Anchor>
                ) : hasParts(value) ? (
                  <ReadableValue value={value} nothing={WORDS.none} label={labelOf(name, schemas.get(name))} />
                ) : (
                  valueText(value)
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function EntityHistory({ entityId, type }: { entityId: string; type: ObjectType }) {
  const pages = useInfiniteQuery(historyPages(entityId));
  const moves = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <section aria-label={words.history}>
      <Title order={2} size="h4" mb="xs">
        {words.history}
      </Title>
      {pages.error !== null && <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.data !== undefined && moves.length === 0 && <Text>{words.noHistory}</Text>}
      <Stack gap="xs" component="ol" className="history">
        {moves.map(({ id, from, to, reason, changedBy, changedAt }) => (
          <li key={id}>
            <StateChip type={type} state={from} /> → <StateChip type={type} state={to} />{' '}
            <Text size="sm" component="span">
              <Moment at={changedAt} /> {words.by(changedBy.name ?? WORDS.none)}
            </Text>
            {reason !== null && <Text size="sm">{reason}</Text>}
          </li>
        ))}
      </Stack>
      {pages.hasNextPage && (
        <Button size="xs" variant="default" mt="xs" onClick={() => void pages.fetchNextPage()}>
          {words.moreHistory}
        </Button>
      )}
    </section>
  );
}

function EntityItems({ entityId }: { entityId: string }) {
  const { data } = useQuery(queueItemsOf(entityId));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-label={words.items}>
      <Title order={2} size="h4" mb="xs">
        {words.items}
      </Title>
      <ul className="history">
        {data.items.map(({ id, status, queue }) => (
          <li key={id}>
            <Text size="sm">
              {queue?.name ?? words.queue}: {status}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
