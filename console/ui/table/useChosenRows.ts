import { useState } from 'react';

/**
 * The rows that somebody chose in the list `name`, by id, and what changes them. In another list none are chosen, whichever
 * way one came there: an act on rows that are not in sight is nobody's wish.
 */
export function useChosenRows<Row>(name: string) {
  const [state, setState] = useState<{ name: string; rows: ReadonlyMap<string, Row> }>({ name, rows: new Map() });
  const isOther = state.name !== name;
  const next = { name, rows: new Map<string, Row>() };
  if (isOther) setState(next);
  return [isOther ? next.rows : state.rows, (rows: ReadonlyMap<string, Row>) => setState({ name, rows })] as const;
}
