import { Group } from '@mantine/core';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

const Aside = createContext<{ aside: ReactNode } | undefined>(undefined);

/** A field with a button at the side of its input: the field takes it by `useAside`. */
export function FieldAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return <Aside value={useMemo(() => ({ aside }), [aside])}>{children}</Aside>;
}

/** What goes around the input of a field: its label, help and error stand above and below, the button beside it. */
export function useAside(): { inputContainer?: (input: ReactNode) => ReactNode } {
  const place = useContext(Aside);
  if (place === undefined) return {};
  return {
    // The same elements with and without a button: the input stays, and keeps the focus.
    inputContainer: (input) => (
      <Group gap={4} wrap="nowrap" align="start" className="editor-beside">
        <div>{input}</div>
        {place.aside}
      </Group>
    ),
  };
}
