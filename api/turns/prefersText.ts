/** Whether a client wants the text alone: it names text/plain, and nothing that a JSON answer would be. */
export function prefersText(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((each) => each.split(';')[0]?.trim().toLowerCase());
  return types.includes('text/plain') && !types.includes('application/json') && !types.includes('*/*');
}
