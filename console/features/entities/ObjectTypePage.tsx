import { Button, Group, Menu, Stack, Tabs } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { UnreadyPage } from '../../app/pages/UnreadyPage.tsx';
import { csvOf } from '../../ui/files/csv.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { lazyPart } from '../../ui/load/lazyPart.ts';
import { done, failed } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { EntityForm } from './EntityForm.tsx';
import { ObjectBoard } from './ObjectBoard.tsx';
import { ObjectFilters } from './ObjectFilters.tsx';
import { ObjectTable } from './ObjectTable.tsx';
import { type ObjectType as EntityType, exportEntities, typeBySlug } from './queries.ts';
import { propertiesOf } from './schemaFields.ts';
import { TypeSettings } from './TypeSettings.tsx';
import { OBJECTS } from './words.ts';
import './objects.css';

const words = OBJECTS;

const ImportDialog = lazyPart(() => import('./ImportDialog.tsx'), 'ImportDialog');

export function ObjectType() {
  const { typeSlug } = useParams({ from: '/frame/objects/$typeSlug' });
  const search = useSearch({ from: '/frame/objects/$typeSlug' });
  const navigate = useNavigate();
  const may = useMay();
  const type = useQuery(typeBySlug(typeSlug));
  const [dialog, setDialog] = useState<'add' | 'import'>();
  if (type.data === undefined) {
    return <UnreadyPage title={words.title} query={type} missing={words.notFound} list="/objects" />;
  }
  const { tab = 'table' } = search;
  const set = (change: SearchOf<'/frame/objects/$typeSlug'>) =>
    void navigate({
      to: '/objects/$typeSlug',
      params: { typeSlug },
      // A changed filter starts at the first page.
      search: { ...search, page: undefined, ...change },
      replace: true,
    });
  const close = () => setDialog(undefined);
  return (
    <Page
      title={type.data.name}
      beside={
        <Group gap="xs">
          {may('objects:write') && type.data.isEnabled !== false && (
            <Button onClick={() => setDialog('add')}>{words.add}</Button>
          )}
          {may('objects:write') && (
            <Button variant="default" onClick={() => setDialog('import')}>
              {words.import}
            </Button>
          )}
          <ExportMenu type={type.data} search={search} />
        </Group>
      }
    >
      <Tabs value={tab} onChange={(value) => set({ tab: value ?? 'table' })} keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="table">{words.tabs.table}</Tabs.Tab>
          <Tabs.Tab value="board">{words.tabs.board}</Tabs.Tab>
          <Tabs.Tab value="settings">{words.tabs.settings}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="table">
          <Stack>
            <ObjectFilters type={type.data} search={search} isBoard={false} onChange={set} />
            <ObjectTable type={type.data} search={search} onChange={set} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="board">
          <Stack>
            <ObjectFilters type={type.data} search={search} isBoard onChange={set} />
            <ObjectBoard type={type.data} search={search} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <TypeSettings key={type.data.id} type={type.data} />
        </Tabs.Panel>
      </Tabs>
      {dialog === 'add' && <EntityForm type={type.data} onClose={close} />}
      <Suspense fallback={null}>{dialog === 'import' && <ImportDialog type={type.data} onClose={close} />}</Suspense>
    </Page>
  );
}

function ExportMenu({ type, search }: { type: EntityType; search: SearchOf<'/frame/objects/$typeSlug'> }) {
  const [isBusy, setBusy] = useState(false);
  const run = async (form: 'csv' | 'json') => {
    setBusy(true);
    try {
      const fields = propertiesOf(type.attributeSchema).map(([name]) => name);
      const rows = await exportEntities({
        objectTypeSlug: type.slug,
        fields,
        includeRelatedEntityNames: true,
        ...(search.state ? { states: [search.state] } : {}),
        ...(search.q ? { search: search.q } : {}),
      });
      // Identifying columns first. The API adds names of references to the requested fields.
      const columns = [...new Set(['id', 'name', 'state', ...fields, ...rows.flatMap((row) => Object.keys(row))])];
      if (form === 'csv') saveFile(`${type.slug}.csv`, 'text/csv', csvOf(columns, rows));
      else saveFile(`${type.slug}.json`, 'application/json', JSON.stringify(rows, null, 2));
      done(words.exported(rows.length));
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={isBusy} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {words.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.exportMeans}</Menu.Label>
        <Menu.Item onClick={() => void run('csv')}>{words.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => void run('json')}>{words.exportJson}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
