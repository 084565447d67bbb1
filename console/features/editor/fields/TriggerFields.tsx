import { Autocomplete, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { useMay } from '../../../app/api/me.ts';
import { lazyPart } from '../../../ui/load/lazyPart.ts';
import { resources } from '../../catalogue/queries.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { appConnections } from '../editing/queries.ts';
import { type ConfigProps, specsOfConfig } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { NoneYet } from './Choices.tsx';
import { InputField } from './InputField.tsx';
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

export function PollFields({ config, set, replace }: ConfigProps) {
  const { apps } = useEditing();
  const may = useMay();
  const member = membersOf(config, set);
  const polled = apps.filter(({ triggers }) => triggers.length > 0);
  const app = polled.find(({ appId }) => appId === config.appId);
  const trigger = app?.triggers.find(({ triggerId }) => triggerId === config.triggerId);
  const hasConnections = (app?.connectionTypes.length ?? 0) > 0 && may('connections:read');
  const { data: connections = [] } = useQuery({ ...appConnections(app?.appId ?? ''), enabled: hasConnections });
  const inputs = isJsonObject(config.inputs) ? config.inputs : {};
  const setInput = (key: string, value: Json | undefined) => {
    const { [key]: _, ...rest } = inputs;
    set('inputs', value === undefined ? rest : { ...rest, [key]: value });
  };
  // Other apps have other inputs, so these are dropped.
  const choose = (appId: string | undefined) => {
    const { everyMs, startWith } = config;
    const [only, ...others] = polled.find((one) => one.appId === appId)?.triggers ?? [];
    replace({
      ...(appId === undefined ? {} : { appId }),
      ...(only === undefined || others.length > 0 ? {} : { triggerId: only.triggerId }),
      ...(everyMs === undefined ? {} : { everyMs }),
      ...(startWith === undefined ? {} : { startWith }),
    });
  };
  return (
    <>
      <SelectField
        required
        label={words.app}
        options={[
          { value: '', label: words.choose },
          ...polled.map(({ appId, name }) => ({ value: appId, label: name })),
        ]}
        {...member('appId')}
        onChange={choose}
      />
      {app !== undefined && (
        <SelectField
          required
          label={words.event}
          options={[
            { value: '', label: words.choose },
            ...app.triggers.map(({ triggerId, name }) => ({ value: triggerId, label: name })),
          ]}
          {...member('triggerId')}
        />
      )}
      {trigger !== undefined &&
        specsOfConfig(trigger.inputConfig).map((spec) => (
          <InputField
            isPlain
            key={`${trigger.triggerId} ${spec.key}`}
            spec={spec}
            field={`config.inputs.${spec.key}`}
            value={inputs[spec.key]}
            onChange={(value) => setInput(spec.key, value)}
          />
        ))}
      {hasConnections && (
        <SelectField
          label={EDITOR.node.connection}
          options={[
            { value: '', label: EDITOR.node.connectionDefault },
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...member('connectionId')}
        />
      )}
      <NumberField isDuration required label={words.every} {...member<number>('everyMs')} />
      <SelectField
        label={words.startWith}
        options={optionsOf(words.startWiths)}
        {...member('startWith')}
        value={config.startWith ?? 'new'}
      />
    </>
  );
}
