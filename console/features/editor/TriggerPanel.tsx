import { NativeSelect, Stack, Title } from '@mantine/core';
import type { JsonObject } from '../../../domain/json.ts';
import { TRIGGER_ID, TRIGGER_TYPES, type TriggerNode } from '../../../domain/workflow/definition.ts';
import { useEditing } from './editing/Editing.tsx';
import { FieldsField } from './fields/FieldsField.tsx';
import { InputField } from './fields/InputField.tsx';
import { PollFields } from './fields/PollFields.tsx';
import { QueueFields, ScheduleFields } from './fields/TriggerFields.tsx';
import { WebhookFields } from './fields/WebhookFields.tsx';
import { NodeEdges } from './graph/NodeEdges.tsx';
import { impliedEdges } from './model/graphChanges.ts';
import type { ConfigProps } from './model/inputSpecs.ts';
import { EDITOR } from './words.ts';

const words = EDITOR.trigger;
type TriggerType = (typeof TRIGGER_TYPES)[number];

const FRESH: Record<TriggerType, JsonObject> = {
  manual: {},
  webhook: { respond: 'immediately' },
  schedule: { cron: '0 6 * * *' },
  poll: { everyMs: 300_000 },
  queue: {},
};

export function TriggerPanel() {
  const { draft, isReadOnly, changeDefinition, begin } = useEditing();
  const { trigger } = draft.definition;
  const config = trigger.config as JsonObject;
  const set: ConfigProps['set'] = (member, value) =>
    changeDefinition((now) => {
      const { [member]: _, ...rest } = now.trigger.config as JsonObject;
      const next = value === undefined ? rest : { ...(now.trigger.config as JsonObject), [member]: value };
      return { ...now, trigger: { ...now.trigger, config: next } as unknown as TriggerNode };
    }, `trigger ${member}`);
  const replace: ConfigProps['replace'] = (next) => {
    begin(TRIGGER_ID);
    changeDefinition((now) => ({ ...now, trigger: { ...now.trigger, config: next } as unknown as TriggerNode }));
  };
  const start = (type: TriggerType) => {
    begin(TRIGGER_ID);
    changeDefinition((now) => ({
      ...now,
      trigger: { id: TRIGGER_ID, type, config: FRESH[type] } as unknown as TriggerNode,
    }));
  };
  const own = { config, set, replace };
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {EDITOR.graph.trigger}
      </Title>
      <NativeSelect
        label={words.type}
        data-field="type"
        disabled={isReadOnly}
        data={TRIGGER_TYPES.map((value) => ({ value, label: words.types[value] }))}
        value={trigger.type}
        onChange={({ currentTarget }) => start(currentTarget.value as TriggerType)}
      />
      {trigger.type === 'manual' && (
        <FieldsField
          isPlain
          Preset={InputField}
          label={words.fields}
          field="config.fields"
          value={config.fields}
          onChange={(value) => set('fields', Array.isArray(value) && value.length === 0 ? undefined : value)}
        />
      )}
      {trigger.type === 'webhook' && <WebhookFields {...own} />}
      {trigger.type === 'schedule' && <ScheduleFields {...own} />}
      {trigger.type === 'poll' && <PollFields {...own} />}
      {trigger.type === 'queue' && <QueueFields {...own} />}
      <NodeEdges id={TRIGGER_ID} begins={impliedEdges(draft.definition)} />
    </Stack>
  );
}
