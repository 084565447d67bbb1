import { Autocomplete, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import type { Json, JsonObject } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import { resources } from '../../catalogue/queries.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import type { ConfigProps } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { NoneYet } from './Choices.tsx';
import { NumberField } from './NumberField.tsx';

const words = EDITOR.trigger;

const ScheduleWords = lazyPart(() => import('./ScheduleWords.tsx'), 'ScheduleWords');

interface ConfigFieldProps {
  label: string;
  field: string;
  value: Json | undefined;
  onChange: (value: string | undefined) => void;
  help?: ReactNode;
  required?: boolean;
}

function useField({ field, value, help }: ConfigFieldProps) {
  const { isReadOnly } = useEditing();
  const error = useProblem(field);
  return {
    error,
    disabled: isReadOnly,
    'data-field': field,
    value: value === undefined || value === null ? '' : String(value),
    ...(help === undefined ? {} : { description: help }),
  };
}

export function TextField(props: ConfigFieldProps) {
  return (
    <TextInput
      {...useField(props)}
      label={props.label}
      required={props.required ?? false}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value || undefined)}
    />
  );
}

/** A stored secret arrives as a mask and is sent back unchanged. */
export function SecretTextField(props: ConfigFieldProps) {
  const isMasked = props.value === HIDDEN_SECRET;
  return (
    <PasswordInput
      {...useField(isMasked ? { ...props, help: EDITOR.input.masked } : props)}
      label={props.label}
      required={props.required ?? false}
      autoComplete="off"
      onChange={({ currentTarget }) => props.onChange(currentTarget.value || undefined)}
    />
  );
}

export function SelectField({ options, ...props }: ConfigFieldProps & { options: { value: string; label: string }[] }) {
  const field = useField(props);
  const isKnown = field.value === '' || options.some(({ value }) => value === field.value);
  return (
    <NativeSelect
      {...field}
      label={props.label}
      required={props.required ?? false}
      data={isKnown ? options : [{ value: field.value, label: field.value }, ...options]}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value || undefined)}
    />
  );
}

/** Returns place, value and setter of members of an object in the trigger's config. */
export const membersOf =
  (object: JsonObject, set: (member: string, value: Json | undefined) => void, place = 'config') =>
  <Value extends Json>(member: string) => ({
    field: `${place}.${member}`,
    value: object[member] as Value | undefined,
    onChange: (value: Json | undefined) => set(member, value),
  });

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export function ScheduleFields({ config, set }: ConfigProps) {
  const member = membersOf(config, set);
  /** A schedule has either a cron or an interval. */
  const setInstead = (member: string, value: Json | undefined, other: string) => {
    set(member, value);
    if (value !== undefined && value !== '') set(other, undefined);
  };
  return (
    <>
      <TextField
        label={words.cron}
        help={words.cronHelp}
        {...member('cron')}
        onChange={(value) => setInstead('cron', value, 'everyMs')}
      />
      <NumberField
        isDuration
        label={words.every}
        help={words.everyHelp}
        {...member<number>('everyMs')}
        onChange={(value) => setInstead('everyMs', value, 'cron')}
      />
      <ZoneField {...member('timezone')} />
      <Suspense fallback={null}>
        <ScheduleWords cron={config.cron} everyMs={config.everyMs} timezone={config.timezone} />
      </Suspense>
      <SelectField
        label={words.overlap}
        options={optionsOf(words.overlaps)}
        {...member('overlap')}
        value={config.overlap ?? 'skip'}
      />
      <NumberField isDuration label={words.jitter} {...member<number>('jitterMs')} />
      <NumberField isDuration label={words.catchup} {...member<number>('catchupWindowMs')} />
    </>
  );
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
const MAX_ZONES_SHOWN = 50;
/** A hidden list would have the label of the field, too. */
const NO_CLOSED_LIST = { keepMounted: false };

/** Takes any IANA name; typing a part of one finds it. */
function ZoneField(props: Omit<ConfigFieldProps, 'label'>) {
  return (
    <Autocomplete
      {...useField({ ...props, label: words.timezone })}
      label={words.timezone}
      placeholder="UTC"
      data={ZONES}
      limit={MAX_ZONES_SHOWN}
      openOnFocus={false}
      comboboxProps={NO_CLOSED_LIST}
      onChange={(zone) => props.onChange(zone || undefined)}
    />
  );
}

export function QueueFields({ config, set }: ConfigProps) {
  const member = membersOf(config, set);
  const { data } = useQuery(resources('queue', 'id'));
  return (
    <>
      <SelectField
        required
        label={words.queue}
        help={data?.length === 0 ? <NoneYet kind="queue" /> : undefined}
        options={[{ value: '', label: words.choose }, ...(data ?? [])]}
        {...member('queueId')}
      />
      <NumberField label={words.batch} {...member<number>('batchSize')} />
    </>
  );
}
