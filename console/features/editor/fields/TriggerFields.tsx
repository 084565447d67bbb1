import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { HIDDEN_SECRET } from '../../../../domain/workflow/maskTrigger.ts';
import { useMay } from '../../../app/api/me.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { appConnections, resources } from '../editing/queries.ts';
import { type ConfigProps, specsOfConfig } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { InputField } from './InputField.tsx';
import { NoneYet } from './NoneYet.tsx';
import { NumberField } from './NumberField.tsx';

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

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const words = EDITOR.trigger;

export function ScheduleFields({ config, set }: ConfigProps) {
  const number = (member: string) => config[member] as number | undefined;
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
        field="config.cron"
        value={config.cron}
        onChange={(value) => setInstead('cron', value, 'everyMs')}
      />
      <NumberField
        isDuration
        label={words.every}
        help={words.everyHelp}
        field="config.everyMs"
        value={number('everyMs')}
        onChange={(value) => setInstead('everyMs', value, 'cron')}
      />
      <TextField
        label={words.timezone}
        help="UTC, Europe/Berlin"
        field="config.timezone"
        value={config.timezone}
        onChange={(value) => set('timezone', value)}
      />
      <SelectField
        label={words.overlap}
        field="config.overlap"
        options={optionsOf(words.overlaps)}
        value={config.overlap ?? 'skip'}
        onChange={(value) => set('overlap', value)}
      />
      <NumberField
        isDuration
        label={words.jitter}
        field="config.jitterMs"
        value={number('jitterMs')}
        onChange={(value) => set('jitterMs', value)}
      />
      <NumberField
        isDuration
        label={words.catchup}
        field="config.catchupWindowMs"
        value={number('catchupWindowMs')}
        onChange={(value) => set('catchupWindowMs', value)}
      />
    </>
  );
}

export function QueueFields({ config, set }: ConfigProps) {
  const { data } = useQuery(resources('queue', 'id'));
  return (
    <>
      <SelectField
        required
        label={words.queue}
        field="config.queueId"
        help={data?.length === 0 ? <NoneYet kind="queue" /> : undefined}
        options={[{ value: '', label: words.choose }, ...(data ?? [])]}
        value={config.queueId}
        onChange={(value) => set('queueId', value)}
      />
      <NumberField
        label={words.batch}
        field="config.batchSize"
        value={config.batchSize as number | undefined}
        onChange={(value) => set('batchSize', value)}
      />
    </>
  );
}

export function PollFields({ config, set, replace }: ConfigProps) {
  const { apps } = useEditing();
  const may = useMay();
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
        field="config.appId"
        options={[
          { value: '', label: words.choose },
          ...polled.map(({ appId, name }) => ({ value: appId, label: name })),
        ]}
        value={config.appId}
        onChange={choose}
      />
      {app !== undefined && (
        <SelectField
          required
          label={words.event}
          field="config.triggerId"
          options={[
            { value: '', label: words.choose },
            ...app.triggers.map(({ triggerId, name }) => ({ value: triggerId, label: name })),
          ]}
          value={config.triggerId}
          onChange={(value) => set('triggerId', value)}
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
          field="config.connectionId"
          options={[
            { value: '', label: EDITOR.node.connectionDefault },
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={config.connectionId}
          onChange={(value) => set('connectionId', value)}
        />
      )}
      <NumberField
        isDuration
        required
        label={words.every}
        field="config.everyMs"
        value={config.everyMs as number | undefined}
        onChange={(value) => set('everyMs', value)}
      />
      <SelectField
        label={words.startWith}
        field="config.startWith"
        options={optionsOf(words.startWiths)}
        value={config.startWith ?? 'new'}
        onChange={(value) => set('startWith', value)}
      />
    </>
  );
}
