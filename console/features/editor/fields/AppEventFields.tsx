import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { useEditing } from '../editing/Editing.tsx';
import { type ConfigProps, specsOfConfig } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { InputField } from './InputField.tsx';
import { membersOf, SelectField } from './TriggerFields.tsx';

const words = EDITOR.trigger;

/** Returns the apps that have triggers of this kind, with these triggers alone. */
export function useTriggerApps(kind: 'poll' | 'webhook') {
  const { apps } = useEditing();
  return apps
    .map((app) => ({
      ...app,
      triggers: app.triggers.filter(({ webhook }) => (webhook !== undefined) === (kind === 'webhook')),
    }))
    .filter(({ triggers }) => triggers.length > 0);
}

interface AppEventFieldsProps extends Pick<ConfigProps, 'config' | 'set'> {
  app: ReturnType<typeof useTriggerApps>[number];
}

/** The choice of an app's event, and the inputs of the event. */
export function AppEventFields({ app, config, set }: AppEventFieldsProps) {
  const trigger = app.triggers.find(({ triggerId }) => triggerId === config.triggerId);
  const inputs = isJsonObject(config.inputs) ? config.inputs : {};
  const setInput = (key: string, value: Json | undefined) => {
    const { [key]: _, ...rest } = inputs;
    set('inputs', value === undefined ? rest : { ...rest, [key]: value });
  };
  return (
    <>
      <SelectField
        required
        label={words.event}
        help={trigger?.description}
        options={[
          { value: '', label: words.choose },
          ...app.triggers.map(({ triggerId, name }) => ({ value: triggerId, label: name })),
        ]}
        {...membersOf(config, set)('triggerId')}
      />
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
    </>
  );
}
