import type { Json } from '../../../../domain/json.ts';
import type { ConfigProps } from '../model/configProps.ts';
import { EDITOR } from '../words/editor.ts';
import { optionsOf, SelectField, TextField } from './ConfigFields.tsx';
import { NumberField } from './NumberField.tsx';

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
