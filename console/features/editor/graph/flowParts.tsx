import { IconPin } from '@tabler/icons-react';
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { WayEdge } from '../../../ui/graph/WayEdge.tsx';
import { Status, toneOf } from '../../../ui/Status.tsx';
import { EDITOR } from '../words.ts';
import type { FlowNode } from './flow.ts';
import { NodeIcon } from './NodeIcon.tsx';
import { NoteCard } from './NoteCard.tsx';

const EditorNode = memo(function EditorNode({ id, data }: NodeProps<FlowNode>) {
  const { type, label, kind, icon, ways, open, problems, isVertical, isLoop: loops, hasSample, status } = data;
  return (
    <div
      className={loops ? 'graph-node graph-loop editor-node' : 'graph-node editor-node'}
      data-problems={problems > 0}
      data-tone={status === undefined ? undefined : status === null ? 'none' : toneOf(status)}
    >
      {id !== TRIGGER_ID && <Handle type="target" position={isVertical ? Position.Top : Position.Left} />}
      <span className="graph-name">
        <NodeIcon type={type} icon={icon} size={14} />
        {label}
      </span>
      {status == null ? <span className="editor-kind">{kind}</span> : <Status status={status} />}
      {problems > 0 && (
        <span className="editor-count" aria-hidden>
          {problems}
        </span>
      )}
      {hasSample && (
        <span className="editor-pin" title={EDITOR.graph.hasSample} aria-hidden>
          <IconPin size={14} />
        </span>
      )}
      {ways.map((way, index) => {
        const share = `${((index + 1) * 100) / (ways.length + 1)}%`;
        return (
          <Handle
            key={way}
            id={way}
            type="source"
            title={way}
            position={isVertical ? Position.Bottom : Position.Right}
            style={isVertical ? { left: share } : { top: share }}
          >
            {open.includes(way) && (
              <span className="editor-way" data-vertical={isVertical} data-above={index < ways.length / 2} aria-hidden>
                {way}
              </span>
            )}
          </Handle>
        );
      })}
    </div>
  );
});

export const NODE_TYPES = { step: EditorNode, note: NoteCard };
export const EDGE_TYPES = { way: WayEdge };
