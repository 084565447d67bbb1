import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { csvOf } from '../../ui/files/csv.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { done, failed } from '../../ui/notices/notices.tsx';
import type { SearchOf } from '../../ui/search.ts';
import { exportEntities, type ObjectType } from './queries.ts';
import { propertiesOf } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

export function ExportMenu({ type, search }: { type: ObjectType; search: SearchOf<'/frame/objects/$typeSlug'> }) {
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
