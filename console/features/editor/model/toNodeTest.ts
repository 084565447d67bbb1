/** Opens the test of the chosen node, at the button that runs it; nothing where no node is chosen. */
export function toNodeTest(): void {
  const test = document.querySelector<HTMLDetailsElement>('.editor-form details[data-test]');
  if (test === null) return;
  test.open = true;
  const at = test.querySelector<HTMLElement>('button') ?? test.querySelector<HTMLElement>('summary');
  at?.scrollIntoView({ block: 'nearest' });
  at?.focus();
}
