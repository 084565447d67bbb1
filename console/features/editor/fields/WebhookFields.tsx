import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.ts';
import { WEBHOOK_METHODS } from '../../../../domain/workflow/definition.ts';
import { CopyText } from '../../../ui/CopyText.tsx';
import { webhookUrl } from '../../webhooks/webhookCommand.ts';
import { useEditing, useProblem } from '../editing/Editing.tsx';
import { ExpressionField } from '../expression/ExpressionField.tsx';
import type { ConfigProps } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { AppEventFields, useTriggerApps } from './AppEventFields.tsx';
import { NumberField } from './NumberField.tsx';
import { membersOf, optionsOf, SecretTextField, SelectField, TextField } from './TriggerFields.tsx';

const words = EDITOR.trigger;

export function WebhookFields({ config, set, replace }: ConfigProps) {
  const { workflowId } = useEditing();
  const apps = useTriggerApps('webhook');
  const app = apps.find(({ appId }) => appId === config.appId);
  const url = workflowId === undefined ? undefined : webhookUrl(workflowId);
  const choose = (appId: string | undefined) => {
    const [only, ...others] = apps.find((one) => one.appId === appId)?.triggers ?? [];
    if (appId === undefined) return replace({ respond: 'immediately' });
    replace({ appId, ...(only && others.length === 0 ? { triggerId: only.triggerId } : {}), hmac: { secret: '' } });
  };
  return (
    <>
      <Text size="sm">{url ?? words.noUrl}</Text>
      {url && <CopyText text={url} label={words.copyUrl} />}
      <SelectField
        label={words.sender}
        options={[
          { value: '', label: words.anySender },
          ...apps.map(({ appId, name }) => ({ value: appId, label: name })),
        ]}
        {...membersOf(config, set)('appId')}
        onChange={choose}
      />
      {app === undefined ? (
        <OwnWebhookFields config={config} set={set} />
      ) : (
        <>
          <AppEventFields app={app} config={config} set={set} />
          <SecretTextField
            required
            label={words.signingSecret}
            field="config.hmac.secret"
            value={isJsonObject(config.hmac) ? config.hmac.secret : undefined}
            onChange={(secret) =>
              set('hmac', { ...(isJsonObject(config.hmac) ? config.hmac : {}), secret: secret ?? '' })
            }
          />
        </>
      )}
    </>
  );
}

function OwnWebhookFields({ config, set }: Pick<ConfigProps, 'config' | 'set'>) {
  const { isReadOnly } = useEditing();
  const member = membersOf(config, set);
  const hmac = isJsonObject(config.hmac) ? config.hmac : undefined;
  const duplicates = isJsonObject(config.duplicates) ? config.duplicates : undefined;
  const methods = Array.isArray(config.methods) ? config.methods : [...WEBHOOK_METHODS];
  return (
    <>
      <Checkbox.Group label={words.methods} value={methods.map(String)} onChange={(value) => set('methods', value)}>
        <Group mt={4}>
          {WEBHOOK_METHODS.map((method) => (
            <Checkbox key={method} value={method} label={method} disabled={isReadOnly} />
          ))}
        </Group>
      </Checkbox.Group>
      <SelectField
        label={words.respond}
        options={optionsOf(words.responds)}
        {...member('respond')}
        value={config.respond ?? 'immediately'}
      />
      <SecretTextField label={words.secret} {...member('secret')} />
      <Checkbox
        label={words.useHmac}
        disabled={isReadOnly}
        checked={hmac !== undefined}
        onChange={({ currentTarget }) => set('hmac', currentTarget.checked ? { secret: '' } : undefined)}
      />
      {hmac !== undefined && <HmacFields hmac={hmac} onChange={(value) => set('hmac', value)} />}
      <Checkbox
        label={words.useDuplicates}
        disabled={isReadOnly}
        checked={duplicates !== undefined}
        onChange={({ currentTarget }) =>
          set('duplicates', currentTarget.checked ? { key: '{{ trigger.body.id }}', forMs: 3_600_000 } : undefined)
        }
      />
      {duplicates !== undefined && (
        <DuplicateFields given={duplicates} onChange={(value) => set('duplicates', value)} />
      )}
    </>
  );
}

interface MemberProps {
  onChange: (value: JsonObject) => void;
}

const withMember = (object: JsonObject, member: string, value: Json | undefined): JsonObject => {
  const { [member]: _, ...rest } = object;
  return value === undefined ? rest : { ...object, [member]: value };
};

function HmacFields({ hmac, onChange }: MemberProps & { hmac: JsonObject }) {
  const member = membersOf(hmac, (key, value) => onChange(withMember(hmac, key, value)), 'config.hmac');
  return (
    <Stack gap="xs" className="editor-inner">
      <SecretTextField
        required
        label={words.hmacSecret}
        {...member('secret')}
        onChange={(value) => onChange({ ...hmac, secret: value ?? '' })}
      />
      {hmac.format !== 'slack' && <TextField label={words.header} help="X-Signature" {...member('header')} />}
      <SelectField
        label={words.format}
        options={optionsOf(words.formats)}
        {...member('format')}
        value={hmac.format ?? 'timestamped'}
      />
      {hmac.format !== 'body' && <NumberField label={words.tolerance} {...member<number>('toleranceSeconds')} />}
    </Stack>
  );
}

function DuplicateFields({ given, onChange }: MemberProps & { given: JsonObject }) {
  const error = useProblem('config.duplicates.key');
  const member = membersOf(given, (key, value) => onChange(withMember(given, key, value)), 'config.duplicates');
  return (
    <Stack gap="xs" className="editor-inner">
      <ExpressionField
        readsTrigger
        label={words.duplicateKey}
        field="config.duplicates.key"
        error={error}
        value={String(given.key ?? '')}
        previewed={given.key}
        onChange={(key) => onChange({ ...given, key })}
      />
      <NumberField isDuration label={words.forMs} {...member<number>('forMs')} />
    </Stack>
  );
}
