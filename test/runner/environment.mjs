// Where the tests of a file run. As jest's own for Node, with two differences that save a fifth of the tests' processor time.
import { createRequire } from 'node:module';
import { constants, createContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { documentedShapes } from './documentedShapes.mjs';

const require = createRequire(import.meta.url);

export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { global: given } = this;
    // A context with a global object of its own. Each look at a global of jest's (Array, JSON, undefined) goes through a proxy.
    const own = createContext(constants.DONT_CONTEXTIFY);
    for (const name of Reflect.ownKeys(given)) {
      if (!Object.hasOwn(own, name)) Object.defineProperty(own, name, Object.getOwnPropertyDescriptor(given, name));
    }
    // These are its own, where jest gives those of Node: what Node makes is an instance of them.
    Object.assign(own, { global: own, ArrayBuffer: given.ArrayBuffer, Uint8Array: given.Uint8Array });
    own.Error.stackTraceLimit = given.Error.stackTraceLimit;
    // What all files of a worker share: test/setup/api/contract.ts and chromium.ts take it from there.
    Object.defineProperty(own, 'documentedShapes', { get: documentedShapes });
    Object.defineProperty(own, 'playwright', { get: () => require('playwright-core') });
    this.context = own;
    this.global = own;
    this.moduleMocker = new this.moduleMocker.constructor(own);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global: own });
  }
}
