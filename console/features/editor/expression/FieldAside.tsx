import { Group } from '@mantine/core';
import { createContext, type ReactNode, useContext, useMemo } from 'react';

const Aside = createContext<{ aside: ReactNode } | undefined>(undefined);

/** A field with a button at the side of its input: the field takes it by `useAside`. */
export function FieldAside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return <Aside value={useMemo(() => ({ aside }), [aside])}>{children}</Aside>;
}

/**
 * What goes around the input of a field: its label, help and error stand above and below, its buttons beside it. `own`: one
 * that the field has wherever it stands.
 */
export function useAside(own?: ReactNode): { inputContainer?: (input: ReactNode) => ReactNode } {
  const place = useContext(Aside);
  if (place === undefined && own === undefined) return {};
  return {
    // The same elements with and without a button: the input stays, and keeps the focus.
    inputContainer: (input) => (
      <Group gap={4} wrap="nowrap" align="start" className="editor-beside">
        <div>{input}</div>
        {own}
        {place?.aside}
      </Group>
    ),
  };
}
