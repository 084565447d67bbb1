import { Alert, Button, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import { QUERIES } from '../../app/api/queries.ts';
import { type Field, FieldForm } from '../../ui/form/FieldForm.tsx';
import { done } from '../../ui/notices.tsx';
import { ProblemAlert } from '../../ui/problem/ProblemAlert.tsx';
import { CHANGED_MEANWHILE } from '../../ui/problem/SaveProblem.tsx';
import { WORDS } from '../../ui/words/words.ts';
import { type ChangedByBoth, changedByBoth, changeOf, type EntityValues } from './entityChange.ts';
import { createEntity, refreshObjects, updateEntity } from './mutations.ts';
import { currentValues, type Entity, type ObjectType, oneObject } from './queries.ts';
import { useReferences, withChoices } from './references.ts';
import { attributeProblems, attributesOf, initialOf, REST, schemaFields, valueText } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS;

interface EntityFormProps {
  type: ObjectType;
  entity?: Entity;
  onClose: () => void;
}

interface Meeting {
  both: ChangedByBoth;
  now: EntityValues;
}

const valuesOf = ({ name, attributes = {} }: Entity): EntityValues => ({ name, attributes });

/** Creates or edits an entity with a form built from the type's schema. */
export function EntityForm({ type, entity: given, onClose }: EntityFormProps) {
  const [entity, setEntity] = useState(given);
  const [round, setRound] = useState(0);
  const reload = async (id: string) => {
    setEntity(await QUERIES.fetchQuery({ ...oneObject(id), staleTime: 0 }));
    setRound((now) => now + 1);
  };
  return <Form key={round} type={type} entity={entity} onReload={(id) => reload(id)} onClose={onClose} />;
}

type FormProps = EntityFormProps & { entity: Entity | undefined; onReload: (id: string) => Promise<void> };

function Form({ type, entity, onReload, onClose }: FormProps) {
  const [name, setName] = useState(entity?.name ?? '');
  const [state, setState] = useState(type.stateSchema?.initial ?? '');
  const references = useReferences(type);
  const hasRest = type.allowUnknownAttributes === true || type.attributeSchema == null;
  const needed = type.stateSchema?.states.find(({ id }) => id === (entity?.state ?? state))?.requiredFields ?? [];
  const fields = withChoices(schemaFields(type.attributeSchema, { needed, hasRest }), type, references);
  // The values when the form opened, so that attributes added by others since are not treated as removed here.
  const [before] = useState(entity?.attributes ?? {});
  const [meeting, setMeeting] = useState<Meeting>();
  /** Returns false if others have changed the same values, which the user must review first. */
  const change = async (known: Entity, attributes: Record<string, unknown>): Promise<boolean> => {
    const was = valuesOf(known);
    const body = changeOf(was, { name: name.trim(), attributes });
    if (Object.keys(body).length === 0) return true;
    const now = valuesOf(await currentValues(known.id));
    const both = changedByBoth(body, meeting?.now ?? was, now);
    setMeeting(both && { both, now });
    if (both === undefined) await updateEntity(known.id, body);
    return both === undefined;
  };
  const save = useMutation({
    mutationFn: async (values: Record<string, unknown>): Promise<boolean> => {
      const rest = values[REST];
      if (rest !== undefined && (typeof rest !== 'object' || rest === null || Array.isArray(rest))) {
        throw new Error(words.restWrong);
      }
      const attributes = attributesOf(fields, values, before);
      if (entity === undefined) {
        const begin = state === '' ? {} : { state };
        await createEntity({ objectTypeSlug: type.slug, name: name.trim(), attributes, ...begin });
      } else if (!(await change(entity, attributes))) return false;
      await refreshObjects();
      return true;
    },
    onSuccess: (isSaved) => {
      if (!isSaved) return;
      done(words.saved);
      onClose();
    },
  });
  const problem = isProblem(save.error) ? save.error : undefined;
  const atFields = attributeProblems(problem?.errors ?? []);
  const keys = new Set(fields.map(({ key }) => key));
  const isShown = Object.keys(atFields).some((key) => keys.has(key));
  const states = type.stateSchema?.states ?? [];
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={entity === undefined ? words.addTitle(type.name) : words.editTitle(entity.name)}
    >
      <Stack>
        {save.error !== null && !isShown && <ProblemAlert error={save.error} />}
        {entity !== undefined && meeting !== undefined && (
          <EntityConflict {...meeting} fields={fields} onReload={() => onReload(entity.id)} />
        )}
        <FieldForm
          fields={fields}
          {...(entity === undefined ? {} : { initial: initialOf(fields, before) })}
          submitLabel={entity === undefined ? words.add : words.save}
          isBusy={save.isPending}
          problems={atFields}
          onSubmit={(values) => save.mutate(values)}
          beside={
            <Button variant="default" onClick={onClose}>
              {WORDS.cancel}
            </Button>
          }
        >
          <TextInput
            label={words.name}
            data-autofocus
            required
            maxLength={500}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {entity === undefined && states.length > 0 && (
            <NativeSelect
              label={words.state}
              value={state}
              onChange={(event) => setState(event.currentTarget.value)}
              data={states.map(({ id, name: label }) => ({ value: id, label: label ?? id }))}
            />
          )}
        </FieldForm>
      </Stack>
    </Modal>
  );
}

interface EntityConflictProps {
  both: ChangedByBoth;
  now: EntityValues;
  fields: readonly Field[];
  onReload: () => Promise<void>;
}

/** Lists what somebody else also changed while the form was open, with the current values. */
function EntityConflict({ both, now, fields, onReload }: EntityConflictProps) {
  const reload = useMutation({ mutationFn: onReload });
  const labelOf = (key: string) => fields.find((field) => field.key === key)?.label ?? key;
  const changed = [
    ...(both.name ? [OBJECTS.meeting.now(OBJECTS.name, now.name)] : []),
    ...both.attributes.map((key) => OBJECTS.meeting.now(labelOf(key), valueText(now.attributes[key]))),
  ];
  return (
    <Alert color="yellow" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      <Text size="sm">{OBJECTS.meeting.title}</Text>
      <ul>
        {changed.map((each) => (
          <li key={each}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {each}
            </Text>
          </li>
        ))}
      </ul>
      <Text size="sm">{OBJECTS.meeting.again}</Text>
      {reload.error !== null && <ProblemAlert error={reload.error} />}
      <Button size="xs" mt="xs" variant="default" loading={reload.isPending} onClick={() => reload.mutate()}>
        {CHANGED_MEANWHILE.reload}
      </Button>
    </Alert>
  );
}
