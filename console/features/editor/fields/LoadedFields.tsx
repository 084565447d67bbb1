import { Input, Loader, Stack, Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { pathTo } from '../../../../domain/place.ts';
import { useSaid } from '../../../ui/problem/ProblemAlert.tsx';
import { FieldAside, useAside } from '../expression/ExpressionField.tsx';
import { type InputSpec, specsOfConfig } from '../model/inputSpecs.ts';
import { LoadingFailure, OptionHelp } from './OptionBox.tsx';
import { useLoadedOptions } from './useLoadedOptions.ts';
import { FIELDS } from './words.ts';

const words = FIELDS.options;

export interface MemberProps {
  spec: InputSpec;
  field: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
}

interface LoadedFieldsProps extends MemberProps {
  error: string | undefined;
  Input: ComponentType<MemberProps>;
}

/** The fields of an object that the service names, such as the columns of a table. Other members stay as they are. */
export function LoadedFields({ spec, field, value, onChange, error, Input: Member }: LoadedFieldsProps) {
  const { hint, fields, isLoading, error: failure, tryAgain } = useLoadedOptions(spec, { search: '', isWanted: true });
  useSaid(failure);
  const members = isJsonObject(value) ? value : {};
  const set = (key: string, member: Json | undefined) => {
    const { [key]: _, ...others } = members;
    const next = member === undefined ? others : { ...members, [key]: member };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  const inside = (
    <Stack gap="sm" role="group" aria-label={spec.label} className="loaded-fields">
      {specsOfConfig({ fields: [...(fields ?? [])] }).map((member) => (
        <Member
          key={member.key}
          spec={member}
          field={pathTo(field, member.key)}
          value={members[member.key]}
          onChange={(next) => set(member.key, next)}
        />
      ))}
      {fields?.length === 0 && <Text size="sm">{words.noFields}</Text>}
      {isLoading && <Loader size={16} aria-label={words.loading} />}
      {failure !== null && <LoadingFailure error={failure} onRetry={tryAgain} />}
    </Stack>
  );
  const { inputContainer = (input) => input } = useAside();
  return (
    <Input.Wrapper
      label={spec.label}
      labelElement="div"
      required={spec.required}
      description={<OptionHelp help={spec.help} hint={hint} />}
      error={error}
      data-field={field}
    >
      {inputContainer(<FieldAside aside={undefined}>{inside}</FieldAside>)}
    </Input.Wrapper>
  );
}
