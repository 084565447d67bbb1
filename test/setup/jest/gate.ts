/** `after` resolves when `goOn` is called. */
export function gate(): { after: Promise<void>; goOn: () => void } {
  let goOn: () => void = () => undefined;
  const after = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return { after, goOn };
}
