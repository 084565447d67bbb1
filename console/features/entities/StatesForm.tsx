import { Checkbox, MultiSelect, NativeSelect, Stack, TextInput } from '@mantine/core';
import {
  ANY_STATE,
  type ObjectState,
  type StateSchema,
  type StateTransition,
} from '../../../domain/object/stateSchema.ts';
import { freeName, RowsEditor } from '../../ui/form/RowsEditor.tsx';
import { useFreshKeys } from '../../ui/useFreshKeys.ts';
import { freshMove, readStates, withStates } from './stateForm.ts';
import { OBJECTS } from './words.ts';

const words = OBJECTS.typeForm;

interface StatesFormProps {
  /** Null, or a schema that `readStates` can read. */
  schema: unknown;
  attributes: readonly { key: string; label: string }[];
  onChange: (schema: StateSchema | null) => void;
}

const FIRST: StateSchema = { initial: 'new', states: [{ id: 'new', name: words.firstState }] };

/** Edits states and moves as rows. */
export function StatesForm({ schema, attributes, onChange }: StatesFormProps) {
  const states = readStates(schema);
  return (
    <Stack gap="xs">
      <Checkbox
        label={words.hasStates}
        checked={states !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? FIRST : null)}
      />
      {states !== undefined && (
        <>
          <StateRows schema={states} attributes={attributes} onChange={onChange} />
          <NativeSelect
            label={words.initial}
            data={states.states.map(optionOf)}
            value={states.initial}
            onChange={({ currentTarget }) => onChange({ ...states, initial: currentTarget.value })}
          />
          <Checkbox
            label={words.onlyMoves}
            checked={states.transitions !== undefined}
            onChange={({ currentTarget }) => {
              const { transitions: _, ...rest } = states;
              onChange(currentTarget.checked ? { ...rest, transitions: [freshMove(states)] } : rest);
            }}
          />
          {states.transitions !== undefined && <MoveRows schema={states} onChange={onChange} />}
        </>
      )}
    </Stack>
  );
}

const nameOf = ({ id, name }: ObjectState) => name || id;
const optionOf = (state: ObjectState) => ({ value: state.id, label: nameOf(state) });

interface RowsProps {
  schema: StateSchema;
  onChange: (schema: StateSchema) => void;
}

function StateRows({ schema, attributes, onChange }: RowsProps & Pick<StatesFormProps, 'attributes'>) {
  const keys = useFreshKeys();
  const ids = schema.states.map(({ id }) => id);
  return (
    <RowsEditor<ObjectState>
      label={words.states}
      addLabel={words.addState}
      rows={schema.states}
      field="stateSchema.states"
      fresh={() => {
        const id = freeName(ids, 'state');
        keys.add(id);
        return { id };
      }}
      nameOf={nameOf}
      onChange={(states) => onChange(withStates(schema, states))}
    >
      {(state, index, change) => (
        <StateFields
          state={state}
          attributes={attributes}
          error={idProblem(ids, index)}
          onName={(name) => {
            const { name: _, ...rest } = state;
            const id = keys.follow(
              state.id,
              name,
              ids.filter((_, at) => at !== index),
            );
            change(name === '' ? rest : { ...rest, id, name });
          }}
          onId={(id) => {
            keys.fix(state.id);
            change({ ...state, id });
          }}
          onChange={change}
        />
      )}
    </RowsEditor>
  );
}

function idProblem(ids: readonly string[], index: number): string | undefined {
  const id = ids[index] ?? '';
  if (id === '') return words.noKey;
  return ids.indexOf(id) < index ? words.keyTwice : undefined;
}

interface StateFieldsProps {
  state: ObjectState;
  attributes: StatesFormProps['attributes'];
  error: string | undefined;
  onName: (name: string) => void;
  onId: (id: string) => void;
  onChange: (state: ObjectState) => void;
}

function StateFields({ state, attributes, error, onName, onId, onChange }: StateFieldsProps) {
  const { id, name = '', requiredFields = [], final = false } = state;
  const options = attributes.map(({ key, label }) => ({ value: key, label }));
  const unknown = requiredFields.filter((key) => !attributes.some((one) => one.key === key));
  return (
    <Stack gap={6}>
      <TextInput
        label={words.stateName}
        value={name}
        placeholder={id}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <TextInput
        label={words.stateId}
        required
        error={error}
        value={id}
        onChange={(event) => onId(event.currentTarget.value)}
      />
      <MultiSelect
        label={words.requiredFields}
        data={[...options, ...unknown.map((key) => ({ value: key, label: key }))]}
        comboboxProps={NO_CLOSED_LIST}
        value={[...requiredFields]}
        onChange={(fields) => {
          const { requiredFields: _, ...rest } = state;
          onChange(fields.length === 0 ? rest : { ...rest, requiredFields: fields });
        }}
      />
      <Checkbox
        label={words.final}
        checked={final}
        onChange={({ currentTarget }) => {
          const { final: _, ...rest } = state;
          onChange(currentTarget.checked ? { ...rest, final: true } : rest);
        }}
      />
    </Stack>
  );
}

/** A hidden list would have the label of the field, too. */
const NO_CLOSED_LIST = { keepMounted: false };

function MoveRows({ schema, onChange }: RowsProps) {
  const { states, transitions = [] } = schema;
  const label = (id: string) =>
    id === ANY_STATE ? words.anyState : nameOf(states.find((one) => one.id === id) ?? { id });
  return (
    <RowsEditor<StateTransition>
      label={words.moves}
      addLabel={words.addMove}
      rows={transitions}
      field="stateSchema.transitions"
      fresh={() => freshMove(schema)}
      nameOf={({ name, from, to }) => name || words.move(label(from), label(to))}
      onChange={(next) => onChange({ ...schema, transitions: next })}
    >
      {(move, _, change) => <MoveFields move={move} states={states} onChange={change} />}
    </RowsEditor>
  );
}

interface MoveFieldsProps {
  move: StateTransition;
  states: readonly ObjectState[];
  onChange: (move: StateTransition) => void;
}

function MoveFields({ move, states, onChange }: MoveFieldsProps) {
  const options = states.map(optionOf);
  return (
    <Stack gap={6}>
      <TextInput
        label={words.moveName}
        value={move.name ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const { name: _, ...rest } = move;
          onChange(value === '' ? rest : { ...rest, name: value });
        }}
      />
      <NativeSelect
        label={words.from}
        data={[{ value: ANY_STATE, label: words.anyState }, ...options]}
        value={move.from}
        onChange={({ currentTarget }) => onChange({ ...move, from: currentTarget.value })}
      />
      <NativeSelect
        label={words.to}
        data={options}
        value={move.to}
        onChange={({ currentTarget }) => onChange({ ...move, to: currentTarget.value })}
      />
      <Checkbox
        label={words.requiresReason}
        checked={move.requiresReason === true}
        onChange={({ currentTarget }) => {
          const { requiresReason: _, ...rest } = move;
          onChange(currentTarget.checked ? { ...rest, requiresReason: true } : rest);
        }}
      />
    </Stack>
  );
}
