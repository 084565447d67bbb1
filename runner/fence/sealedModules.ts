import dns from 'node:dns';
import nodeModule, { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { refusalOf, replace } from './sealed.ts';

/** Modules whose functions all throw. They can still be loaded, because packages load them without a need. */
const SEALED = [
  'child_process',
  'cluster',
  'dgram',
  'domain',
  'inspector',
  'inspector/promises',
  'module',
  'node:sea',
  'node:sqlite',
  'node:test',
  'repl',
  'trace_events',
  'v8',
  'vm',
  'wasi',
];

/** Single functions of other modules. */
const SEALED_MEMBERS: Record<string, readonly string[]> = {
  worker_threads: ['Worker'],
  os: ['setPriority', 'userInfo'],
  net: ['_createServerHandle'],
};

const DNS_SEALED = /^(resolve|reverse|lookupService|setServers|getServers|Resolver)/;

export type Require = (name: string) => unknown;

// Captured before both are replaced.
const { isBuiltin } = nodeModule;
const builtin = process.getBuiltinModule.bind(process) as (name: string) => object | undefined;

/**
 * Replaces the functions in the modules themselves, so that it does not matter how code gets at a module (require,
 * import, getBuiltinModule, Module._load). Returns a `require` of built-in modules.
 */
export function sealModules(): Require {
  // Node makes a context with vm when a reader is first released, as in each fetch with a body.
  new ReadableStream().getReader().releaseLock();
  // All are loaded before the first is sealed, because one may need another.
  const loaded = SEALED.map((name) => ({ name, exported: builtin(name) }));
  for (const { name, exported } of loaded) if (exported) seal(name, exported, () => true);
  seal('module', nodeModule.prototype as object, () => true);
  for (const name of ['_cache', '_extensions', '_pathCache']) replace(nodeModule, name, {});
  for (const [name, members] of Object.entries(SEALED_MEMBERS)) {
    seal(name, builtin(name) as object, (member) => members.includes(member));
  }
  for (const each of [dns, dns.promises]) seal('dns', each, (member) => DNS_SEALED.test(member));
  replace(os, 'networkInterfaces', () => ({}));
  replace(os, 'hostname', () => 'runner');
  syncBuiltinESMExports();
  return (name) => {
    if (!isBuiltin(name)) throw notBundled(name);
    return builtin(name);
  };
}

function notBundled(name: string): Error {
  const error = new Error(`Cannot find module '${name}': only built-in modules and bundled packages can be loaded`);
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}

function seal(module: string, exported: object, isSealed: (member: string) => boolean): void {
  for (const member of Object.getOwnPropertyNames(exported)) {
    const { value, configurable, writable } = Object.getOwnPropertyDescriptor(exported, member) ?? {};
    if (typeof value !== 'function' || !(configurable || writable) || !isSealed(member)) continue;
    const refuse = refusalOf(`${module.replace('node:', '')}.${member}`);
    // Not an arrow function: some packages make a subclass of such a member when they are loaded.
    replace(exported, member, function sealed() {
      return refuse();
    });
  }
}
