/** Opens the test of the selected node and focuses its button; does nothing if no node is selected. */
export function toNodeTest(): void {
  const test = document.querySelector<HTMLDetailsElement>('.editor-form details[data-test]');
  if (test === null) return;
  test.open = true;
  const at = test.querySelector<HTMLElement>('button') ?? test.querySelector<HTMLElement>('summary');
  at?.scrollIntoView({ block: 'nearest' });
  at?.focus();
}
