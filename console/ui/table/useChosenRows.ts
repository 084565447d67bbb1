import { useState } from 'react';

/** Another list (`name`) starts without a selection, so that no action concerns rows that are not visible. */
export function useChosenRows<Row>(name: string) {
  const [state, setState] = useState<{ name: string; rows: ReadonlyMap<string, Row> }>({ name, rows: new Map() });
  const isOther = state.name !== name;
  const next = { name, rows: new Map<string, Row>() };
  if (isOther) setState(next);
  return [isOther ? next.rows : state.rows, (rows: ReadonlyMap<string, Row>) => setState({ name, rows })] as const;
}
