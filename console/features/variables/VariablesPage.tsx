import { Button, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { choices } from '../../app/api/choices.ts';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { useNewForm } from '../../app/pages/newForms.ts';
import { Chip } from '../../ui/Chip.tsx';
import { done } from '../../ui/notices.tsx';
import { Page } from '../../ui/Page.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyList } from '../../ui/table/EmptyList.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { Listing } from '../../ui/table/Listing.tsx';
import { menuColumn } from '../../ui/table/RowMenu.tsx';
import { Moment } from '../../ui/time/Moment.tsx';
import { sizeText } from '../../ui/time/times.ts';
import { WORDS } from '../../ui/words/words.ts';
import { deleteVariable } from './mutations.ts';
import { type Variable, variablePages } from './queries.ts';
import { ChangeVariable, VariableDialog } from './VariableDialog.tsx';
import { VARIABLES } from './words.ts';
import '../../ui/settings.css';

const words = VARIABLES;

export function Variables() {
  const { project } = useSearch({ from: '/frame/settings/variables' });
  const navigate = useNavigate();
  const may = useMay();
  const mayWrite = may('variables:write');
  const pages = useInfiniteQuery(variablePages(project));
  const projects = useQuery({ ...choices('listProjects'), enabled: may('projects:read') });
  const [dialog, setDialog] = useState<{ kind: 'change' | 'delete'; variable: Variable }>();
  const rows = pages.data?.pages.flatMap((page) => page.rows) ?? [];
  const close = () => setDialog(undefined);
  const form = useNewForm(mayWrite);
  const actsOf = (variable: Variable) => [
    { label: WORDS.edit, onClick: () => setDialog({ kind: 'change', variable }) },
    { label: WORDS.delete, isDangerous: true, onClick: () => setDialog({ kind: 'delete', variable }) },
  ];
  const columns: Column<Variable>[] = [
    {
      key: 'name',
      header: words.columns.name,
      className: 'wordy',
      cell: ({ name, description }) => (
        <>
          <Text size="sm" fw={600} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {description != null && <Text size="xs">{description}</Text>}
        </>
      ),
    },
    {
      key: 'value',
      card: 'line',
      header: words.columns.value,
      className: 'cell-value',
      cell: (row) => <ShortValue variable={row} />,
    },
    {
      key: 'scope',
      header: words.columns.scope,
      cell: ({ project: owner }) => owner?.name ?? words.scopes.workspace,
    },
    {
      key: 'updated',
      header: words.columns.updated,
      className: 'short',
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
    ...(mayWrite ? [menuColumn(actsOf)] : []),
  ];
  return (
    <Page
      title={WORDS.navigation.settingsPages.variables}
      beside={mayWrite && <Button onClick={form.open}>{words.add}</Button>}
    >
      <Stack>
        <FilterSelect
          label={words.scope}
          maw={280}
          value={project}
          any={words.scopes.all}
          choices={(projects.data ?? []).map(({ id, name }) => ({
            value: id,
            label: `${words.project}: ${name ?? id}`,
          }))}
          onChoose={(chosen) =>
            void navigate({ to: '/settings/variables', search: { project: chosen }, replace: true })
          }
        />
        <Listing
          pages={pages}
          empty={
            <EmptyList means={words.empty}>{mayWrite && <Button onClick={form.open}>{words.first}</Button>}</EmptyList>
          }
        >
          <DataTable label={WORDS.navigation.settingsPages.variables} columns={columns} rows={rows} />
        </Listing>
      </Stack>
      {form.isOpen && <VariableDialog projectId={project} onClose={form.close} />}
      {dialog?.kind === 'change' && <ChangeVariable variable={dialog.variable} onClose={close} />}
      {dialog?.kind === 'delete' && (
        <ActDialog
          title={words.deleteTitle(dialog.variable.name)}
          means={words.deleteMeans}
          button={WORDS.delete}
          isDangerous
          onAct={async () => {
            await deleteVariable(dialog.variable.id);
            done(WORDS.deleted(dialog.variable.name));
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}

const MAX_SHOWN = 200;

function ShortValue({ variable: { value, isSecret, valueBytes } }: { variable: Variable }) {
  if (isSecret === true) {
    return (
      <Chip tone="neutral" icon={IconLock}>
        {words.hidden}
      </Chip>
    );
  }
  if (valueBytes !== undefined) return <Text size="sm">{sizeText(valueBytes)}</Text>;
  const text = JSON.stringify(value);
  return <code title={text}>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}</code>;
}
