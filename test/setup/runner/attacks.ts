/** An attack is the body of an async function with `require`, `module` and `inputs`. Its return value is its loot. */
export interface Attack {
  name: string;
  code: string;
  /** It ends when the test cancels its call. */
  endless?: true;
}

const FS = `const fs = require('fs');`;
const GET = (url: string) => `return (await fetch(${url})).status`;
/** Code for the address of the test's server under a host. */
const AT = (host: string, path = '/') => `'http://${host}:' + inputs.port + '${path}'`;

const FILES: Attack[] = [
  { name: 'read /etc/passwd', code: `${FS} return fs.readFileSync('/etc/passwd', 'utf8')` },
  { name: 'read a path given as bytes', code: `${FS} return fs.readFileSync(Buffer.from('/etc/passwd'), 'utf8')` },
  { name: 'read a path given as a URL', code: `${FS} return fs.readFileSync(new URL('file:///etc/passwd'), 'utf8')` },
  { name: 'read above its folder', code: `${FS} return fs.readFileSync(inputs.folder + '/../../config.js', 'utf8')` },
  {
    name: 'read above its folder, in bytes',
    code: `${FS} return fs.readFileSync(Buffer.from(inputs.folder + '/../../config.js'), 'utf8')`,
  },
  { name: 'read its environment in /proc', code: `${FS} return fs.readFileSync('/proc/self/environ', 'utf8')` },
  { name: "read the worker's environment", code: `${FS} return fs.readFileSync('/proc/' + process.ppid + '/environ')` },
  { name: "read the worker's memory map", code: `${FS} return fs.readFileSync('/proc/' + process.ppid + '/maps')` },
  { name: 'read by promises', code: `return await require('fs/promises').readFile('/etc/passwd', 'utf8')` },
  { name: 'open as a Blob', code: `${FS} return await (await fs.openAsBlob('/etc/passwd')).text()` },
  { name: 'list a folder', code: `${FS} return fs.readdirSync('/')` },
  { name: 'ask whether a file exists', code: `${FS} return fs.existsSync('/etc/passwd') || undefined` },
  { name: 'write into its folder', code: `${FS} fs.writeFileSync(inputs.folder + '/x', 'x'); return 'written'` },
  { name: 'write into /tmp', code: `${FS} fs.mkdtempSync('/tmp/x'); return 'written'` },
  {
    name: 'a symbolic link in its folder',
    code: `${FS} fs.symlinkSync('/etc/passwd', inputs.folder + '/l'); return fs.readFileSync(inputs.folder + '/l')`,
  },
  { name: 'require a file', code: `return require('/etc/passwd')` },
  { name: 'load an .env file', code: `process.loadEnvFile('/etc/os-release'); return process.env` },
  { name: 'open a database file', code: `return new (require('node:sqlite').DatabaseSync)('/tmp/x.db') && 1` },
  { name: 'write a heap snapshot', code: `return require('v8').writeHeapSnapshot()` },
  { name: 'write a report', code: `return process.report.writeReport()` },
  { name: 'write a trace', code: `require('trace_events').createTracing({ categories: ['node'] }).enable(); return 1` },
  { name: 'load an addon', code: `process.dlopen({ exports: {} }, '/tmp/x.node'); return 1` },
  { name: 'use WASI', code: `return new (require('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }) && 1` },
  { name: 'find secrets in process.env', code: `return Object.keys(process.env)[0]` },
];

const PROCESSES: Attack[] = [
  { name: 'run a command', code: `return String(require('child_process').execSync('id'))` },
  { name: 'getBuiltinModule', code: `return String(process.getBuiltinModule('child_process').execSync('id'))` },
  { name: 'Module._load', code: `return String(module.constructor._load('child_process').execSync('id'))` },
  { name: 'require("module")._load', code: `return String(require('module')._load('child_process').execSync('id'))` },
  {
    name: 'createRequire',
    code: `return String(require('module').createRequire('/')('child_process').execSync('id'))`,
  },
  { name: 'process.mainModule', code: `return String(process.mainModule.require('child_process').execSync('id'))` },
  { name: 'import()', code: `return String((await import('node:child_process')).execSync('id'))` },
  {
    name: 'import() of a new function',
    code: `return String((await new Function('return import("node:child_process")')()).execSync('id'))`,
  },
  {
    name: 'import() of a function made by a promise',
    code: `const f = await Promise.resolve('return import("node:child_process")').then(Function);
      return String((await f()).execSync('id'))`,
  },
  {
    name: 'import() by a script of the main context',
    code: `const vm = require('vm');
      const at = { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
      return String((await new vm.Script('import("node:child_process")', at).runInThisContext()).execSync('id'))`,
  },
  { name: 'process.binding', code: `return process.binding('spawn_sync').spawn({ file: '/bin/id', args: ['id'] })` },
  { name: 'process._linkedBinding', code: `return process._linkedBinding('spawn_sync')` },
  { name: 'process.execve', code: `process.execve('/bin/id', ['id'], {}); return 1` },
  { name: 'a worker thread', code: `return new (require('worker_threads').Worker)('1', { eval: true }) && 1` },
  { name: 'a cluster', code: `return require('cluster').fork() && 1` },
  {
    name: 'a fork bomb',
    code: `for (let i = 0; i < 99; i++) require('child_process').fork(inputs.folder + '/main.js'); return 1`,
  },
  { name: 'the inspector', code: `require('inspector').open(0); return require('inspector').url()` },
  { name: 'a session of the inspector', code: `new (require('inspector').Session)().connect(); return 1` },
  { name: 'stop the worker', code: `return process.kill(process.ppid, 'SIGSTOP')` },
  { name: 'stop the worker, by _kill', code: `return process._kill(process.ppid, 9)` },
  { name: 'debug the worker', code: `process._debugProcess(process.ppid); return 1` },
  { name: 'slow the worker down', code: `require('os').setPriority(process.ppid, 19); return 1` },
  { name: 'change its user', code: `process.setuid(0); return 1` },
  { name: 'exit', code: `process.exit(0)` },
  { name: 'reallyExit', code: `process.reallyExit(0)` },
  { name: 'abort', code: `process.abort()` },
  { name: "V8's flags", code: `require('v8').setFlagsFromString('--allow-natives-syntax'); return 1` },
  {
    name: 'functions of the fence in stack traces',
    code: `const before = Error.prepareStackTrace;
      Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getFileName(), site.getFunction(), site.getThis()]);
      const sites = new Error().stack; Error.prepareStackTrace = before;
      return sites.find(([file, called, self]) => /fence/.test(file) && (called ?? self) !== undefined)`,
  },
  {
    name: 'the caller of its function',
    code: `return (function f() { return f.caller?.caller?.caller })() ?? undefined`,
  },
  { name: 'handles of the process', code: `return process._getActiveHandles().length` },
];

const NETWORK: Attack[] = [
  { name: 'the metadata service', code: GET(`'http://169.254.169.254/latest/meta-data/'`) },
  { name: 'loopback', code: GET(AT('127.0.0.1')) },
  { name: 'loopback as a number', code: GET(AT('2130706433')) },
  { name: 'loopback as a mapped address', code: GET(AT('[::ffff:127.0.0.1]')) },
  { name: 'loopback in IPv6', code: GET(AT('[::1]')) },
  { name: '0.0.0.0', code: GET(AT('0.0.0.0')) },
  { name: 'localhost', code: GET(AT('localhost')) },
  { name: 'a public name of a private address', code: GET(AT('private.example')) },
  { name: 'an allowed host on another port', code: GET(`'http://shop.example:' + inputs.otherPort`) },
  { name: 'a redirect to loopback', code: GET(AT('shop.example', '/to-loopback')) },
  {
    name: 'the egress of the worker',
    code: `const { remotePort } = await new Promise((done, fail) => {
        require('http').get('http://shop.example:' + inputs.port + '/allowed', (got) => done(got.socket)).on('error', fail) });
      return await new Promise((done, fail) => {
        require('net').connect(remotePort, '127.0.0.1').on('connect', () => done(remotePort)).on('error', fail) })`,
  },
  {
    name: 'net.connect',
    code: `return await new Promise((done, fail) => {
      require('net').connect(inputs.port, '127.0.0.1').on('connect', () => done(1)).on('error', fail) })`,
  },
  {
    name: 'tls.connect',
    code: `return await new Promise((done, fail) => {
      require('tls').connect(inputs.port, '127.0.0.1').on('secureConnect', () => done(1)).on('error', fail) })`,
  },
  {
    name: 'a lookup of its own',
    code: `const lookup = (_, options, found) => found(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
      return await new Promise((done, fail) => {
        require('http').get({ host: 'x.example', port: inputs.port, lookup }, (got) => done(got.statusCode)).on('error', fail) })`,
  },
  {
    name: 'a new TCP handle',
    code: `const net = require('net'); const socket = net.connect(inputs.port, 'x.example'); socket.on('error', () => {});
      await new Promise((done) => setImmediate(done));
      const TCP = socket._handle.constructor; const handle = new TCP(0);
      return await new Promise((done, fail) => {
        const request = { oncomplete: (status) => (status === 0 ? done(1) : fail(new Error('status ' + status))) };
        const status = handle.connect(request, '127.0.0.1', inputs.port);
        if (status !== 0) fail(new Error('status ' + status)) })`,
  },
  {
    name: 'a server',
    code: `return await new Promise((done, fail) => {
      require('net').createServer().listen(0, '127.0.0.1', () => done(1)).on('error', fail) })`,
  },
  {
    name: 'a Unix socket',
    code: `return await new Promise((done, fail) => {
      require('net').connect({ path: inputs.unixSocket }).on('connect', () => done(1)).on('error', fail) })`,
  },
  {
    name: 'HTTP on a Unix socket',
    code: `return await new Promise((done, fail) => {
      require('http').get({ socketPath: inputs.unixSocket }, () => done(1)).on('error', fail) })`,
  },
  {
    name: 'a socket of a file descriptor',
    code: `for (let fd = 4; fd < 30; fd++) new (require('net').Socket)({ fd })`,
  },
  { name: 'UDP', code: `require('dgram').createSocket('udp4').send('x', inputs.port, '127.0.0.1'); return 1` },
  { name: 'DNS servers of its own', code: `require('dns').setServers(['127.0.0.1']); return 1` },
  { name: 'a resolver', code: `return await new (require('dns').promises.Resolver)().resolve4('example.com')` },
  {
    name: 'the address of an internal name',
    code: `
      const { address } = await require('dns').promises.lookup('localhost'); return /^240\\./.test(address) ? undefined : address`,
  },
  {
    name: 'HTTP/2',
    code: `return await new Promise((done, fail) => {
      require('http2').connect('http://127.0.0.1:' + inputs.port, () => done(1)).on('error', fail) })`,
  },
  {
    name: 'a WebSocket',
    code: `return await new Promise((done, fail) => {
      const socket = new WebSocket('ws://127.0.0.1:' + inputs.port); socket.onopen = () => done(1); socket.onerror = () => fail(new Error('refused')) })`,
  },
  { name: 'the addresses of the machine', code: `return Object.keys(require('os').networkInterfaces())[0]` },
];

const CHANNEL: Attack[] = [
  {
    name: 'bytes that are no message',
    code: `${FS} fs.writeSync(3, Buffer.alloc(64, 255)); await new Promise(() => {})`,
  },
  {
    name: 'a message of 4 GB',
    code: `${FS} fs.writeSync(3, Buffer.from([255, 255, 255, 255])); await new Promise(() => {})`,
  },
  {
    name: 'a flood of messages',
    code: `${FS} const body = Buffer.from('{"kind":"returned","id":99999,"output":"1"}'); const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length); const many = Buffer.concat(Array(1000).fill(Buffer.concat([head, body])));
      for (let i = 0; i < 1000; ) try { fs.writeSync(3, many); i++ } catch {}
      await new Promise(() => {})`,
  },
  {
    name: 'a forged port',
    code: `${FS} const body = Buffer.from('{"kind":"open","id":1,"host":{"length":1},"port":"22"}'); const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length); fs.writeSync(3, Buffer.concat([head, body])); await new Promise(() => {})`,
  },
  { name: 'an output of 20 MB', code: `return 'x'.repeat(20e6)` },
  { name: 'an output that is not JSON', code: `return 10n` },
  { name: 'an output that throws', code: `return { toJSON() { throw new Error('x') } }` },
  { name: 'an error that throws', code: `throw { get message() { throw new Error('x') }, get stack() { throw 1 } }` },
];

const RESOURCES: Attack[] = [
  { name: 'an endless loop', code: `for (;;);`, endless: true },
  { name: 'a regular expression without end', code: `return /^(a+)+$/.test('a'.repeat(60) + 'b')`, endless: true },
  { name: 'Atomics.wait', code: `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`, endless: true },
  { name: 'an endless wait that ignores its signal', code: `await new Promise(() => {})`, endless: true },
  { name: 'memory in objects', code: `const all = []; for (;;) all.push({ x: Array(100).fill(Math.random()) })` },
  { name: 'memory in buffers', code: `const all = []; for (;;) { all.push(Buffer.alloc(1e7, 1)); await null }` },
  {
    name: 'an error in a timer',
    code: `setTimeout(() => { throw new Error('late') }, 5); await new Promise(() => {})`,
  },
  { name: 'an unhandled rejection', code: `void Promise.reject(new Error('late')); await new Promise(() => {})` },
  { name: 'recursion', code: `const f = () => f() + 1; return f()` },
];

export const ATTACKS: Record<string, Attack[]> = {
  files: FILES,
  'processes and internals': PROCESSES,
  network: NETWORK,
  channel: CHANNEL,
  resources: RESOURCES,
};
