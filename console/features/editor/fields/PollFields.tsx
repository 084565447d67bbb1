import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../../app/api/me.ts';
import { appConnections } from '../editing/queries.ts';
import type { ConfigProps } from '../model/inputSpecs.ts';
import { EDITOR } from '../words.ts';
import { AppEventFields, useTriggerApps } from './AppEventFields.tsx';
import { NumberField } from './NumberField.tsx';
import { membersOf, optionsOf, SelectField } from './TriggerFields.tsx';

const words = EDITOR.trigger;

export function PollFields({ config, set, replace }: ConfigProps) {
  const may = useMay();
  const member = membersOf(config, set);
  const polled = useTriggerApps('poll');
  const app = polled.find(({ appId }) => appId === config.appId);
  const hasConnections = (app?.connectionTypes.length ?? 0) > 0 && may('connections:read');
  const { data: connections = [] } = useQuery({ ...appConnections(app?.appId ?? ''), enabled: hasConnections });
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
      {app !== undefined && <AppEventFields app={app} config={config} set={set} />}
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
