import { useQuery } from '@tanstack/react-query';
import { resources } from '../editing/queries.ts';
import type { ConfigProps } from '../model/configProps.ts';
import { EDITOR } from '../words/editor.ts';
import { SelectField } from './ConfigFields.tsx';
import { NoneYet } from './NoneYet.tsx';
import { NumberField } from './NumberField.tsx';

const words = EDITOR.trigger;

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
