import { useQuery } from '@tanstack/react-query';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { useMay } from '../../../app/api/me.ts';
import { useEditing } from '../editing/Editing.tsx';
import { appConnections } from '../editing/queries.ts';
import type { ConfigProps } from '../model/configProps.ts';
import { specsOfConfig } from '../model/inputSpecs.ts';
import { EDITOR } from '../words/editor.ts';
import { optionsOf, SelectField } from './ConfigFields.tsx';
import { InputField } from './InputField.tsx';
import { NumberField } from './NumberField.tsx';

const words = EDITOR.trigger;

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
