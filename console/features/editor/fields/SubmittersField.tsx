import { NativeSelect, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ROLES } from '../../../../domain/access/permission.ts';
import type { Json } from '../../../../domain/json.ts';
import { MAXIMUM_SUBMITTERS } from '../../../../domain/workflow/submitters.ts';
import { useMay } from '../../../app/api/me.ts';
import { allPeople } from '../../people/queries.ts';
import { useEditing } from '../editing/Editing.tsx';
import { ALWAYS, ExpressionField, useAside } from '../expression/ExpressionField.tsx';
import { OrExpression, textOf } from './Choices.tsx';
import { FIELDS } from './words.ts';

const words = FIELDS.submitters;

interface SubmittersFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  required: boolean;
  help: string | undefined;
  error: string | undefined;
}

/** Chooses who may answer a question: a group, or a list of people and roles. */
export function SubmittersField(props: SubmittersFieldProps) {
  const { value, onChange } = props;
  return (
    <OrExpression
      value={value}
      isOpen={typeof value === 'string' && !isGroup(value)}
      onClear={() => onChange('members')}
      plain={<GroupField {...props} />}
    >
      <ExpressionField {...props} isOneValue={ALWAYS} value={textOf(value)} previewed={value} onChange={onChange} />
    </OrExpression>
  );
}

type Group = keyof typeof words.groups;

const isGroup = (value: string): value is Group => Object.hasOwn(words.groups, value);

function GroupField({ label, field, value, onChange, error }: SubmittersFieldProps) {
  const { isReadOnly } = useEditing();
  const isList = Array.isArray(value);
  const group: Group = isList ? 'list' : typeof value === 'string' && isGroup(value) ? value : 'anyone';
  return (
    <Stack gap={6}>
      <NativeSelect
        label={label}
        data-field={field}
        error={isList ? undefined : error}
        {...useAside()}
        {...(group === 'anyone' || group === 'link' ? { description: words.noLogin } : {})}
        disabled={isReadOnly}
        data={Object.entries(words.groups).map(([one, name]) => ({ value: one, label: name }))}
        value={group}
        onChange={({ currentTarget }) => onChange(currentTarget.value === 'list' ? ['owner'] : currentTarget.value)}
      />
      {isList && <PeopleField value={value} field={field} error={error} onChange={onChange} />}
    </Stack>
  );
}

/** A hidden list would have the label of the field, too. */
const NO_CLOSED_LIST = { keepMounted: false };

interface PeopleFieldProps {
  value: readonly Json[];
  field: string;
  error: string | undefined;
  onChange: (value: Json) => void;
}

function PeopleField({ value, field, error, onChange }: PeopleFieldProps) {
  const { isReadOnly } = useEditing();
  const { data: people = [] } = useQuery({ ...allPeople(), enabled: useMay()('workspace:admin') });
  return (
    <TagsInput
      label={words.list}
      description={words.listHelp}
      data-field={`${field}.list`}
      error={error}
      disabled={isReadOnly}
      maxTags={MAXIMUM_SUBMITTERS}
      data={[
        { group: words.roles, items: [...ROLES] },
        { group: words.people, items: people.flatMap(({ email }) => (email ? [email] : [])) },
      ]}
      comboboxProps={NO_CLOSED_LIST}
      value={value.map(textOf)}
      onChange={(list) => onChange(list)}
    />
  );
}
