import { Group } from '@mantine/core';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

const Aside = createContext<{ aside: ReactNode } | undefined>(undefined);

/** Adds a button next to the input of a field, which reads it with `useAside`. */
export function FieldAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return <Aside value={useMemo(() => ({ aside }), [aside])}>{children}</Aside>;
}

/** Returns a container that puts buttons next to the input. `own`: a button of the field itself. */
export function useAside(own?: ReactNode): { inputContainer?: (input: ReactNode) => ReactNode } {
  const place = useContext(Aside);
  if (place === undefined && own === undefined) return {};
  return {
    // The same elements with and without a button, so that the input keeps its state and focus.
    inputContainer: (input) => (
      <Group gap={4} wrap="nowrap" align="start" className="editor-beside">
        <div>{input}</div>
        {own}
        {place?.aside}
      </Group>
    ),
  };
}
