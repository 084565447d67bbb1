/** A name in `${env:…}`, or the escape of `${`. */
const REFERENCE_OR_ESCAPE = /\$(\$+\{)|\$\{env:([^}\n]*)\}/g;

/** Adds a `$` to each `${`, so that reading the file never fills anything in. */
export function escapedText(text: string): string {
  return text.replace(/\$+\{/g, (found) => `$${found}`);
}

/** Expands a text of a file: `$${` becomes `${`, and each `${env:NAME}` becomes the result of `fill` for its name. */
export function filledText(text: string, fill: (name: string) => string): string {
  return text.replace(REFERENCE_OR_ESCAPE, (_, escaped: string | undefined, name: string | undefined) =>
    escaped === undefined ? fill(name ?? '') : escaped,
  );
}

export function unfilledText(text: string): string {
  return filledText(text, (name) => `\${env:${name}}`);
}

export function namesIn(text: string): string[] {
  const names: string[] = [];
  filledText(text, (name) => {
    names.push(name);
    return '';
  });
  return names;
}
