import {
  IconBolt,
  IconCornerUpLeft,
  IconGitBranch,
  IconHourglassHigh,
  IconListTree,
  IconPlayerStop,
  IconRefresh,
  IconRepeat,
  IconSubtask,
  IconUserQuestion,
} from '@tabler/icons-react';
import type { NodeType } from '../../../../domain/workflow/definition.ts';
import { iconAddress } from '../model/palette.ts';

export type IconKind = NodeType | 'trigger';

const CONTROL: Record<Exclude<IconKind, 'action'>, typeof IconBolt> = {
  trigger: IconBolt,
  condition: IconGitBranch,
  switch: IconListTree,
  forEach: IconRepeat,
  repeat: IconRefresh,
  input: IconUserQuestion,
  delay: IconHourglassHigh,
  runWorkflow: IconSubtask,
  respond: IconCornerUpLeft,
  stop: IconPlayerStop,
};

interface NodeIconProps {
  type: IconKind;
  /** SVG from the catalogue, for an action. */
  icon: string | undefined;
  size: number;
}

export function NodeIcon({ type, icon, size }: NodeIconProps) {
  if (icon !== undefined) return <img src={iconAddress(icon)} alt="" width={size} height={size} />;
  if (type === 'action') return null;
  const Control = CONTROL[type];
  return <Control size={size} className="editor-control" aria-hidden />;
}
