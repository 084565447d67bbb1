import './jsonView.css';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { JsonTable } from './JsonTable.tsx';
import { JsonTree } from './JsonTree.tsx';
import { DATA } from './words.ts';

const words = DATA;
type Shape = 'tree' | 'table' | 'json';
const SHAPES = ['tree', 'table', 'json'] as const;

interface JsonViewProps {
  /** Names the choice of the shape for screen readers, with the thing that is shown. */
  label: string;
  value: unknown;
}

/** Shows a JSON value as a tree, a table or text. */
export function JsonView({ label, value }: JsonViewProps) {
  const [shape, setShape] = useState<Shape>('tree');
  return (
    <div className="data-view">
      <SegmentedControl
        size="xs"
        aria-label={words.shapeOf(label)}
        data={SHAPES.map((each) => ({ value: each, label: words.shapes[each] }))}
        value={shape}
        onChange={(next) => setShape(next as Shape)}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className="data-scroll" tabIndex={0}>
        {shape === 'tree' && <JsonTree value={value} />}
        {shape === 'table' && <JsonTable label={label} value={value} />}
        {shape === 'json' && <pre className="data-json">{JSON.stringify(value, null, 2)}</pre>}
      </div>
    </div>
  );
}
