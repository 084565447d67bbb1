import { Anchor, Group, Pagination, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../../app/api/me.ts';
import { Loading } from '../../ui/Loading.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { WorkButton } from '../../ui/WorkButton.tsx';
import { restoreEntity } from './mutations.ts';
import { ATTRIBUTE, type ColumnKey, columnLabel, shownColumns } from './objectColumns.ts';
import { attributeFilters, type Entity, type ObjectType, objectPage, queryOf } from './queries.ts';
import { useReferences } from './references.ts';
import { StateChip } from './StateChip.tsx';
import { referencesOf, valueText } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

type Search = SearchOf<'/frame/objects/$typeSlug'>;

const words = OBJECTS;

interface ObjectTableProps {
  type: ObjectType;
  search: Search;
  onChange: (change: Search) => void;
}

export function ObjectTable({ type, search, onChange }: ObjectTableProps) {
  const page = useQuery(objectPage(queryOf(type.slug, search)));
  const references = useReferences(type);
  const mayWrite = useMay()('objects:write');
  const isFiltered =
    [search.q, search.state, search.deleted].some((each) => (each ?? '') !== '') || attributeFilters(search).length > 0;
  const slugs = referencesOf(type.attributeSchema);
  const nameOf = (attribute: string, value: unknown) =>
    references.get(slugs.get(attribute) ?? '')?.find((each) => each.value === value)?.label ?? valueText(value);
  const restore = async ({ id, name }: Entity) => {
    await restoreEntity(id);
    done(words.restored(name));
  };
  const isDeleted = search.deleted === 'true';
  const columnOf = (key: ColumnKey): Omit<Column<Entity>, 'key'> => {
    if (key === 'updated' && isDeleted)
      return moments(words.deletedAt, ({ deletedAt, updatedAt }) => deletedAt ?? updatedAt);
    const header = columnLabel(type, key);
    if (key === 'state')
      return { header, card: 'corner' as const, cell: ({ state }) => <StateChip type={type} state={state} /> };
    if (key === 'updated') return moments(header, ({ updatedAt }) => updatedAt);
    if (key === 'created') return moments(header, ({ createdAt }) => createdAt);
    const text =
      key === 'owner'
        ? ({ owner }: Entity) => owner?.name ?? words.nobody
        : ({ attributes }: Entity) => nameOf(key.slice(ATTRIBUTE.length), attributes?.[key.slice(ATTRIBUTE.length)]);
    return { header, className: 'about', title: text, cell: text };
  };
  const columns: Column<Entity>[] = [
    {
      key: 'name',
      header: words.columns.name,
      className: 'named',
      cell: ({ id, name }) => (
        <Anchor
          renderRoot={(props) => <Link to="/objects/$typeSlug/$id" params={{ typeSlug: type.slug, id }} {...props} />}
          underline="always"
          size="sm"
        >
          {name}
        </Anchor>
      ),
    },
    ...shownColumns(type, search.columns).map((key) => ({ ...columnOf(key), key })),
    ...(isDeleted && mayWrite
      ? [
          {
            key: 'restore',
            card: 'corner' as const,
            header: <span className="aloud">{words.restore}</span>,
            cell: (entity: Entity) => (
              <WorkButton
                size="compact-sm"
                variant="default"
                aria-label={words.restoreOf(entity.name)}
                onAct={() => restore(entity)}
              >
                {words.restore}
              </WorkButton>
            ),
          },
        ]
      : []),
  ];
  const { items = [], pagination } = page.data ?? {};
  return (
    <Stack gap="sm">
      {page.error !== null && <ProblemAlert error={page.error} onRetry={() => void page.refetch()} />}
      {page.isPending && <Loading />}
      {page.data !== undefined && items.length === 0 && <Text>{isFiltered ? words.emptyMatch : words.empty}</Text>}
      {items.length > 0 && <DataTable label={type.name} columns={columns} rows={items} />}
      {pagination !== undefined && (
        <Group justify="space-between">
          <Text size="sm" role="status">
            {words.total(pagination.total)}
          </Text>
          {pagination.totalPages > 1 && (
            <Pagination
              aria-label={words.page}
              getItemProps={(number) => ({ 'aria-label': `${words.page} ${number}` })}
              getControlProps={(control) => ({ 'aria-label': control })}
              total={pagination.totalPages}
              value={pagination.page}
              onChange={(number) => onChange({ page: number === 1 ? undefined : String(number) })}
            />
          )}
        </Group>
      )}
    </Stack>
  );
}

function moments(header: string, at: (entity: Entity) => string | null | undefined): Omit<Column<Entity>, 'key'> {
  return { header, className: 'short', cell: (entity) => <Moment at={at(entity)} /> };
}
