import { Button } from '@mantine/core';
import { useState } from 'react';
import { isParent, sizeOf, textOf } from './jsonParts.ts';
import { DATA } from './words.ts';

const words = DATA;
/** Members that are shown at first, and with each request for more. */
const PAGE = 100;
const OPEN_DEPTH = 2;

export function JsonTree({ value }: { value: unknown }) {
  return isParent(value) ? <Members parent={value} depth={0} /> : <Leaf value={value} />;
}

function Members({ parent, depth }: { parent: object; depth: number }) {
  const [count, setCount] = useState(PAGE);
  const entries = Object.entries(parent);
  if (entries.length === 0) return <span className="data-size">{sizeOf(parent)}</span>;
  return (
    <ul className="data-members">
      {entries.slice(0, count).map(([key, value]) => (
        <li key={key}>
          <Member name={key} value={value} depth={depth} />
        </li>
      ))}
      {entries.length > count && (
        <li>
          <Button size="compact-xs" variant="default" onClick={() => setCount(count + PAGE)}>
            {words.more(entries.length - count)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Member({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  const isNested = isParent(value) && Object.keys(value).length > 0;
  const [isOpen, setOpen] = useState(depth + 1 < OPEN_DEPTH);
  if (!isNested) {
    return (
      <>
        <span className="data-name">{name}</span> <Leaf value={value} />
      </>
    );
  }
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="data-name">{name}</span> <span className="data-size">{sizeOf(value)}</span>
      </summary>
      {isOpen && <Members parent={value} depth={depth + 1} />}
    </details>
  );
}

function Leaf({ value }: { value: unknown }) {
  const kind = value === null ? 'null' : typeof value;
  return (
    <span className="data-leaf" data-kind={kind}>
      {textOf(value)}
    </span>
  );
}
