import { Button, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { useState } from 'react';
import type { Entity, ObjectType } from '../../data/objects.ts';
import { useReferences, withChoices } from '../../data/references.ts';
import { attributeProblems, attributesOf, initialOf, REST, schemaFields } from '../../data/schemaFields.ts';
import { client } from '../../session.ts';
import { OBJECTS } from '../../words/en/objects.ts';
import { SETTINGS } from '../../words/en/settings.ts';
import { FieldForm } from '../FieldForm.tsx';
import { done } from '../notices.tsx';
import { ProblemAlert } from '../ProblemAlert.tsx';
import { readObjectsAgain } from './changed.ts';

const words = OBJECTS;

interface EntityFormProps {
  type: ObjectType;
  /** Absent: a new one. */
  entity?: Entity;
  onClose: () => void;
}

/** A new entity, or another name and other attributes, by a form of the type's schema. */
export function EntityForm({ type, entity, onClose }: EntityFormProps) {
  const [name, setName] = useState(entity?.name ?? '');
  const [state, setState] = useState(type.stateSchema?.initial ?? '');
  const references = useReferences(type);
  const hasRest = type.allowUnknownAttributes === true || type.attributeSchema == null;
  const needed = type.stateSchema?.states.find(({ id }) => id === (entity?.state ?? state))?.requiredFields ?? [];
  const fields = withChoices(schemaFields(type.attributeSchema, { needed, hasRest }), type, references);
  // As it was when the form opened: what others have added meanwhile is not taken for removed here.
  const [before] = useState(entity?.attributes ?? {});
  const save = useMutation({
    mutationFn: async (values: Record<string, unknown>) => {
      const rest = values[REST];
      if (rest !== undefined && (typeof rest !== 'object' || rest === null || Array.isArray(rest))) {
        throw new Error(words.restWrong);
      }
      const attributes = attributesOf(fields, values, before);
      if (entity === undefined) {
        const begin = state === '' ? {} : { state };
        await client.createObject({ body: { objectTypeSlug: type.slug, name: name.trim(), attributes, ...begin } });
      } else {
        await client.updateObject({ path: { id: entity.id }, body: { name: name.trim(), attributes } });
      }
      await readObjectsAgain();
    },
    onSuccess: () => {
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
        <FieldForm
          fields={fields}
          {...(entity === undefined ? {} : { initial: initialOf(fields, before) })}
          submitLabel={entity === undefined ? words.add : words.save}
          isBusy={save.isPending}
          problems={atFields}
          onSubmit={(values) => save.mutate(values)}
          beside={
            <Button variant="default" onClick={onClose}>
              {SETTINGS.cancel}
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
