import nodeModule from 'node:module';
import vm from 'node:vm';
import type { GuestMember } from './messages.ts';
import type { Require } from './sealedModules.ts';

// Copies, because the members of both modules are replaced before a bundle is loaded.
const { SourceMap } = nodeModule;
const { Script } = vm;

type Exports = Partial<Record<GuestMember, (...parameters: unknown[]) => unknown>>;

const MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;
const PLACE = /(?:\(|at )([^()\s]+):(\d+):(\d+)\)?$/;

/** The code of a bundle, and what it exported. */
export class Guest {
  readonly #file: string;
  readonly #code: string;
  #exports: Exports = {};
  #map: InstanceType<typeof SourceMap> | undefined;

  constructor(code: string, file: string) {
    this.#file = file;
    this.#code = code;
  }

  /** Throws what the code throws while it is loaded. */
  load(require: Require): void {
    const [code, file] = [this.#code, this.#file];
    // On the first line, so that the source map fits. A script of its own: its `import()` has no loader.
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
      filename: file,
    });
    const own = Object.assign((name: string) => require(name), { resolve: (name: string) => name, cache: {} });
    const module = { exports: {} as Exports, id: '.', filename: file, loaded: false, children: [], paths: [] };
    (script.runInThisContext() as (...of: unknown[]) => void)(module.exports, own, module, file, '/');
    this.#exports = module.exports;
  }

  async call(member: GuestMember, parameters: unknown[]): Promise<unknown> {
    const { [member]: called } = this.#exports;
    if (typeof called !== 'function') throw new Error(`The bundle has no ${member}`);
    // Called by a script without a loader: `Function` as the called member must not get one from this module.
    return trampoline(called, parameters);
  }

  /** Returns the first place of a stack that is in the bundle, in terms of the sources. */
  placeOf = (stack: string): string | undefined => {
    for (const line of stack.split('\n').slice(0, 50)) {
      const [, file, row, column] = PLACE.exec(line) ?? [];
      if (file !== this.#file) continue;
      const at = { line: Number(row), column: Number(column) };
      const entry = this.#sourceMap()?.findEntry(at.line - 1, at.column - 1);
      if (entry && 'originalSource' in entry && entry.originalSource.includes('node_modules/')) continue;
      if (!entry || !('originalSource' in entry)) return `${file}:${at.line}:${at.column}`;
      return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    }
    return undefined;
  };

  #sourceMap(): InstanceType<typeof SourceMap> | undefined {
    const [, base64] = this.#map ? [] : (MAP.exec(this.#code) ?? []);
    if (base64 !== undefined) this.#map = new SourceMap(JSON.parse(Buffer.from(base64, 'base64').toString()));
    return this.#map;
  }
}

const trampoline = new Script('(called, parameters) => called(...parameters)').runInThisContext() as (
  called: (...parameters: unknown[]) => unknown,
  parameters: unknown[],
) => unknown;
