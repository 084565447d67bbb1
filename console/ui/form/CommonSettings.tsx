import { Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface Common {
  isActive: boolean;
  name: string;
  description: string;
}

interface CommonSettingsProps {
  words: { isActive: string; isActiveHelp: string; name: string; description: string };
  form: Common;
  mayChange: (member: keyof Common) => boolean;
  onChange: (change: Partial<Common>) => void;
  children?: ReactNode;
}

export function CommonSettings({ words, form, mayChange, onChange, children }: CommonSettingsProps) {
  return (
    <>
      <Switch
        label={words.isActive}
        description={words.isActiveHelp}
        checked={form.isActive}
        disabled={!mayChange('isActive')}
        onChange={(event) => onChange({ isActive: event.currentTarget.checked })}
      />
      <TextInput
        label={words.name}
        required
        maxLength={200}
        value={form.name}
        disabled={!mayChange('name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {children}
      <Textarea
        label={words.description}
        autosize
        maxRows={8}
        maxLength={10_000}
        value={form.description}
        disabled={!mayChange('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </>
  );
}
