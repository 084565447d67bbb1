import { Button, Group, Tabs } from '@mantine/core';
import { IconLayoutSidebar, IconLayoutSidebarRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PanelName, Panels } from './panels/usePanels.ts';
import { EDITOR } from './words.ts';

const words = EDITOR;

interface EditorHeadProps {
  /** Undefined while the code is shown, which has no panels. */
  panels: Panels | undefined;
  isReadOnly: boolean;
  /** The choice of values for previews. */
  children: ReactNode;
}

export function EditorHead({ panels, isReadOnly, children }: EditorHeadProps) {
  return (
    <div className="editor-head">
      <Group gap="sm" align="end">
        <Tabs.List>
          <Tabs.Tab value="graph">{words.tabs.graph}</Tabs.Tab>
          <Tabs.Tab value="code">{words.tabs.code}</Tabs.Tab>
        </Tabs.List>
        {panels !== undefined && (
          <Group gap={6} py={3}>
            {!isReadOnly && (
              <PanelButton name="palette" label={words.palette.label} icon={IconLayoutSidebar} {...panels} />
            )}
            <PanelButton name="form" label={words.node.panel} icon={IconLayoutSidebarRight} {...panels} />
          </Group>
        )}
      </Group>
      {children}
    </div>
  );
}

interface PanelButtonProps extends Panels {
  name: PanelName;
  label: string;
  icon: typeof IconLayoutSidebar;
}

function PanelButton({ name, label, icon: Shown, isOpen, toggle }: PanelButtonProps) {
  return (
    <Button
      size="xs"
      px={8}
      variant={isOpen[name] ? 'light' : 'default'}
      leftSection={<Shown size={16} aria-hidden />}
      aria-expanded={isOpen[name]}
      onClick={() => toggle(name)}
    >
      {label}
    </Button>
  );
}
