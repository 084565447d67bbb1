import { Alert, Button, Checkbox, Group, Modal, NativeSelect, Stack, Table, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Answer, isProblem } from 'perdure-client';
import { useState } from 'react';
import { isUnanswered } from '../../app/delivery/sendOnce.ts';
import { staysOpen } from '../../app/dialog/ActDialog.tsx';
import { csvOf } from '../../ui/files/csv.ts';
import { RowsFileButton } from '../../ui/files/RowsFileButton.tsx';
import { saveFile } from '../../ui/files/saveFile.ts';
import { done, failed } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { guessedTargets, type ImportRows, importRows, isExport, someRows } from './importRows.ts';
import { importEntities } from './mutations.ts';
import { importTemplate, type ObjectType } from './queries.ts';
import { propertiesOf } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

type Summary = Answer<'importObjects'>;

export function ImportDialog({ type, onClose }: { type: ObjectType; onClose: () => void }) {
  const targets = [
    'name',
    ...propertiesOf(type.attributeSchema).map(([name]) => name),
    ...(type.stateSchema == null ? [] : ['state']),
    'ownerId',
  ];
  const [text, setText] = useState('');
  const [mapping, setMapping] = useState<Record<string, string>>({});
  const [updates, setUpdates] = useState(false);
  const [matchField, setMatchField] = useState('name');
  const [isChecked, setChecked] = useState(false);
  const read = readRows(text);
  const rows = 'problem' in read ? undefined : read;
  const run = useMutation({
    mutationFn: async (dryRun: boolean) => {
      const body = {
        objectTypeSlug: type.slug,
        rows: rows?.rows ?? [],
        columnMappings: mapping,
        ...(updates ? { updateExisting: true, matchField } : {}),
        dryRun,
      };
      const summary = await importEntities(body);
      if (!dryRun) done(words.imported(summary.created + summary.updated));
      return { summary, dryRun };
    },
    onSuccess: ({ summary, dryRun }) => {
      setChecked(dryRun);
      if (dryRun) return;
      if (summary.failed === 0) return onClose();
      // Leave only the rejected rows in the text, so that no row is imported twice.
      const left = new Set(summary.errors.map(({ row }) => row));
      setText((now) => someRows(now, left));
    },
  });
  const change = () => {
    run.reset();
    setChecked(false);
  };
  const take = (next: string) => {
    setText(next);
    change();
    const found = readRows(next);
    if ('problem' in found) return;
    setMapping(guessedTargets(found.columns, targets));
    // Otherwise every exported entity would be duplicated.
    if (isExport(found)) setUpdates(true);
  };
  const set = (column: string, target: string) => {
    change();
    const { [column]: _, ...others } = mapping;
    setMapping(target === '' ? others : { ...others, [column]: target });
  };
  const template = async () => {
    const { headers, sampleRow } = await importTemplate(type.id);
    saveFile(`${type.slug}.csv`, 'text/csv', csvOf(headers, [sampleRow]));
  };
  const hasRows = rows !== undefined && rows.rows.length > 0;
  const isOpen = run.variables === false && isProblem(run.error) && isUnanswered(run.error.status);
  return (
    <Modal opened onClose={onClose} title={words.importTitle(type.name)} size="xl" {...staysOpen(run.isPending)}>
      <Stack>
        <Group>
          <RowsFileButton onText={take} />
          <Button variant="subtle" onClick={() => void template().catch(failed)}>
            {words.template2}
          </Button>
        </Group>
        <Textarea
          label={words.paste}
          description={words.file}
          rows={5}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          error={text !== '' && 'problem' in read ? words.notRows(read.problem) : undefined}
          value={text}
          onChange={(event) => take(event.currentTarget.value)}
        />
        {rows !== undefined && text.trim() !== '' && (
          <Text size="sm" role="status">
            {hasRows ? words.rows(rows.rows.length) : words.noRows}
          </Text>
        )}
        {hasRows && (
          <fieldset className="mapping">
            <legend>{words.mapping}</legend>
            {rows.columns.map((column) => (
              <NativeSelect
                key={column}
                label={words.target(column)}
                value={mapping[column] ?? ''}
                onChange={(event) => set(column, event.currentTarget.value)}
                data={[
                  { value: '', label: words.ignore },
                  ...targets.map((target) => ({ value: target, label: target })),
                ]}
              />
            ))}
          </fieldset>
        )}
        {hasRows && isExport(rows) && <Text size="sm">{words.exportedHere}</Text>}
        {hasRows && (
          <Group align="end">
            <Checkbox
              label={words.updates}
              mb={8}
              checked={updates}
              onChange={(event) => {
                change();
                setUpdates(event.currentTarget.checked);
              }}
            />
            {updates && (
              <NativeSelect
                label={words.matchField}
                value={matchField}
                onChange={(event) => {
                  change();
                  setMatchField(event.currentTarget.value);
                }}
                data={targets.filter((target) => target !== 'state' && target !== 'ownerId')}
              />
            )}
          </Group>
        )}
        {run.error !== null && <ProblemAlert error={run.error} />}
        {isOpen && <Text>{words.importOpen}</Text>}
        {run.data !== undefined && <Result summary={run.data.summary} isDryRun={run.data.dryRun} />}
        {run.data?.dryRun === false && run.data.summary.failed > 0 && <Text>{words.leftRows}</Text>}
        <Group justify="flex-end">
          {hasRows && !isChecked && <Text size="sm">{words.checkFirst}</Text>}
          <Button variant="default" disabled={!hasRows} loading={run.isPending} onClick={() => run.mutate(true)}>
            {words.check}
          </Button>
          <Button disabled={!hasRows || !isChecked} loading={run.isPending} onClick={() => run.mutate(false)}>
            {words.begin}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function readRows(text: string): ImportRows | { problem: string } {
  try {
    return importRows(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

const MAX_SHOWN = 50;

function Result({ summary, isDryRun }: { summary: Summary; isDryRun: boolean }) {
  const { created, updated, failed: wrong, errors } = summary;
  return (
    <Stack gap="xs">
      <Alert
        role="status"
        color={wrong === 0 ? 'green' : 'yellow'}
        title={isDryRun ? words.wouldBe : undefined}
        styles={{ title: { color: 'var(--mantine-color-text)' }, message: { color: 'var(--mantine-color-text)' } }}
      >
        {words.summary(created, updated, wrong)}
      </Alert>
      {errors.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section className="scrolls" aria-label={words.problems} tabIndex={0}>
          <Table aria-label={words.problems}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.problemColumns.row}</Table.Th>
                <Table.Th>{words.problemColumns.field}</Table.Th>
                <Table.Th>{words.problemColumns.message}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {errors.slice(0, MAX_SHOWN).map(({ row, field, message }) => (
                <Table.Tr key={`${row} ${field} ${message}`}>
                  <Table.Td>{row}</Table.Td>
                  <Table.Td>{field ?? WORDS.none}</Table.Td>
                  <Table.Td>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {errors.length > MAX_SHOWN && <Text size="sm">{words.moreProblems(errors.length - MAX_SHOWN)}</Text>}
        </section>
      )}
    </Stack>
  );
}
