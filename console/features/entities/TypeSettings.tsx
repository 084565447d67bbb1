import { Alert, Button, Checkbox, Group, List, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isProblem, type PerdureProblem } from 'perdure-client';
import { useState } from 'react';
import { useMay } from '../../app/api/me.ts';
import { ActDialog } from '../../app/dialog/ActDialog.tsx';
import { jsonText, parsedJson } from '../../ui/code/jsonText.ts';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { usedBy } from '../../ui/UsedBy.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { deleteType, refreshObjects, refreshType, saveType } from './mutations.ts';
import type { ObjectType } from './queries.ts';
import { TypeSchemas } from './TypeSchemas.tsx';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

/** Edits a type. A dry run lists the entities that would not fit and changes nothing. */
export function TypeSettings({ type }: { type: ObjectType }) {
  const navigate = useNavigate();
  const mayWrite = useMay()('objects:write');
  const [name, setName] = useState(type.name);
  const [description, setDescription] = useState(type.description ?? '');
  const [attributes, setAttributes] = useState(() => jsonText(type.attributeSchema));
  const [states, setStates] = useState(() => jsonText(type.stateSchema));
  const [takesUnknown, setTakesUnknown] = useState(type.allowUnknownAttributes === true);
  const [isEnabled, setEnabled] = useState(type.isEnabled !== false);
  const [isDeleting, setDeleting] = useState(false);
  const schemas = { attributes: parsedJson(attributes), states: parsedJson(states) };
  const isReady = 'value' in schemas.attributes && 'value' in schemas.states && name.trim() !== '';
  const send = useMutation({
    mutationFn: async (dryRun: boolean) => {
      if (!('value' in schemas.attributes) || !('value' in schemas.states)) return undefined;
      await saveType({
        slug: type.slug,
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
        attributeSchema: schemas.attributes.value as ObjectType['attributeSchema'] & object,
        stateSchema: schemas.states.value as ObjectType['stateSchema'] & object,
        allowUnknownAttributes: takesUnknown,
        isEnabled,
        // A change in the console keeps the flag as it is.
        managedByCode: type.managedByCode === true,
        dryRun,
      });
      return dryRun;
    },
    onSuccess: async (dryRun) => {
      if (dryRun !== false) return;
      await refreshType(type.slug);
      done(words.saved);
    },
  });
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      send.reset();
      set(value);
    };
  const setSchema = { onAttributes: change(setAttributes), onStates: change(setStates) };
  const isReadOnly = !mayWrite;
  return (
    <Stack maw={900}>
      <TextInput
        label={words.typeName}
        maxLength={200}
        readOnly={isReadOnly}
        value={name}
        onChange={(event) => change(setName)(event.currentTarget.value)}
      />
      <Textarea
        label={words.description}
        autosize
        maxLength={10_000}
        readOnly={isReadOnly}
        value={description}
        onChange={(event) => change(setDescription)(event.currentTarget.value)}
      />
      <TypeSchemas attributes={attributes} states={states} isReadOnly={isReadOnly} {...setSchema} />
      <Checkbox
        label={words.takesUnknown}
        disabled={isReadOnly}
        checked={takesUnknown}
        onChange={(event) => change(setTakesUnknown)(event.currentTarget.checked)}
      />
      <Checkbox
        label={words.isEnabled}
        disabled={isReadOnly}
        checked={isEnabled}
        onChange={(event) => change(setEnabled)(event.currentTarget.checked)}
      />
      <div role="status">{send.data === true && <Text c="var(--ink-good)">{words.fits}</Text>}</div>
      {send.error !== null && <Broken error={send.error} />}
      {mayWrite && (
        <Group>
          <Button
            variant="default"
            disabled={!isReady}
            loading={send.isPending && send.variables}
            onClick={() => send.mutate(true)}
          >
            {words.dryRun}
          </Button>
          <Button disabled={!isReady} loading={send.isPending && !send.variables} onClick={() => send.mutate(false)}>
            {words.save}
          </Button>
          <Button variant="subtle" color="red" c="var(--ink-bad)" ml="auto" onClick={() => setDeleting(true)}>
            {words.deleteType}
          </Button>
        </Group>
      )}
      {isDeleting && (
        <ActDialog
          title={words.deleteTypeTitle(type.name)}
          means={words.deleteTypeMeans}
          button={WORDS.delete}
          isDangerous
          explain={usedBy}
          onAct={async () => {
            await deleteType(type.id);
            await navigate({ to: '/objects' });
            await refreshObjects();
            done(words.gone(type.name));
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Stack>
  );
}

function Broken({ error }: { error: unknown }) {
  if (!isProblem(error, 'CONFLICT')) return <ProblemAlert error={error} />;
  return <Unfit problem={error} />;
}

function Unfit({ problem }: { problem: PerdureProblem }) {
  return (
    <Alert
      role="alert"
      color="yellow"
      title={words.breaks}
      styles={{ title: { color: 'var(--ink-ask)' }, message: { color: 'var(--mantine-color-text)' } }}
    >
      {problem.detail}
      <List size="sm">
        {problem.errors.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
