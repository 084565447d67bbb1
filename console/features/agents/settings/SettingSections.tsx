import { Stack, Text, Title } from '@mantine/core';
import { type AgentDraft, settingOf } from './agentDraft.ts';
import { SettingInput } from './SettingInput.tsx';
import { SECTION_NAMES, SETTING_SECTIONS } from './settingSections.ts';
import { AGENT_SETTINGS } from './words.ts';

const words = AGENT_SETTINGS;

interface SettingSectionsProps {
  draft: AgentDraft;
  isLocked: boolean;
  problems: Readonly<Record<string, string>>;
  onChange: (draft: AgentDraft) => void;
}

export function SettingSections({ draft, isLocked, problems, onChange }: SettingSectionsProps) {
  return (
    <Stack gap="xl">
      {SECTION_NAMES.map((section) => (
        <fieldset key={section} disabled={isLocked} className="agent-section">
          <legend className="aloud">{words.sections[section]}</legend>
          <Title order={2} size="h4" mb="sm" aria-hidden>
            {words.sections[section]}
          </Title>
          <Stack>
            {SETTING_SECTIONS[section].map((setting) => (
              <SettingInput
                key={setting.name}
                setting={setting}
                value={settingOf(draft, setting.name)}
                error={problems[setting.name]}
                onChange={(value) => onChange({ ...draft, [setting.name]: value })}
              />
            ))}
          </Stack>
        </fieldset>
      ))}
      <Text size="sm">{words.restInCode}</Text>
    </Stack>
  );
}
