import { SETTINGS_FILE } from '../domain/bundle/folders.ts';
import { filledText } from './environmentText.ts';
import { EnvironmentValues } from './environmentValues.ts';
import type { FileProblem } from './fileProblems.ts';
import { isReserved } from './folderSettings.ts';

/** A text with `${env:NAME}`: its place in the folder, and `at`, the one in the bundle. */
export interface Template extends Pick<FileProblem, 'file' | 'path'> {
  at: string;
  text: string;
}

export const MASKED_VALUE = '***';

/** Fills names of the environment into texts, and collects those that cannot be filled in. */
export class EnvironmentFill {
  readonly values = new EnvironmentValues();
  /** Names that are reserved or not listed. */
  readonly problems: FileProblem[] = [];
  /** Names that are not set; their texts contain the name instead. */
  readonly unset: FileProblem[] = [];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #listed: ReadonlySet<string> | undefined;

  /** Without `listed` every name may be filled in that is not reserved. */
  constructor(environment: NodeJS.ProcessEnv, listed?: ReadonlySet<string>) {
    this.#environment = environment;
    this.#listed = listed;
  }

  text({ text, file, path }: Omit<Template, 'at'>): { text: string; hasNames: boolean } {
    const given: Record<string, string> = {};
    let hasNames = false;
    const filled = filledText(text, (name) => {
      hasNames = true;
      const refused = this.#refusal(name);
      const value = this.#environment[name];
      if (refused !== undefined) this.problems.push({ file, path, message: refused });
      else if (value === undefined) this.unset.push({ file, path, message: `${name} is not set in the environment` });
      else {
        given[name] = value;
        return value;
      }
      return `env:${name}`;
    });
    if (Object.keys(given).length > 0) this.values.add(filled, maskedText(text), given);
    return { text: filled, hasNames };
  }

  #refusal(name: string): string | undefined {
    if (isReserved(name)) return `\${env:${name}} is refused: names that begin with PERDURE_ are never filled in`;
    if (this.#listed === undefined || this.#listed.has(name)) return undefined;
    return `\${env:${name}} is not listed: add ${name} to environment in ${SETTINGS_FILE}, or write $\${ for the text itself`;
  }
}

export function maskedText(text: string): string {
  return filledText(text, () => MASKED_VALUE);
}
