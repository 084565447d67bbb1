import type { CommandSpec, OptionSpec } from '../commandSpec.ts';

const AS: OptionSpec = { flags: '--as <slug>', summary: 'slug of the app; required' };
const DIR: OptionSpec = { flags: '--dir <dir>', summary: 'folder of the project; default: this one' };

export const APP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'app import openapi',
    summary: 'Write an app of an OpenAPI document, and what its calls need of the document, into apps/',
    arguments: [{ name: '<source>', summary: 'file or URL; JSON or YAML' }],
    options: [
      AS,
      { flags: '--operations <ids>', summary: 'operationIds with commas; default: all' },
      { flags: '--server <url>', summary: 'address of the service; default: that of the document' },
      DIR,
    ],
    examples: ['perdure app import openapi shop.yaml --as shop --operations listOrders,createOrder'],
    operations: [],
    load: async () => (await import('../commands/appImports.ts')).importOpenApi,
  },
  {
    name: 'app import mcp',
    summary: 'Write an app of the tools of an MCP server into apps/',
    arguments: [{ name: '<url>', summary: 'address of the server' }],
    options: [
      AS,
      { flags: '--tools <names>', summary: 'tools with commas; default: all' },
      { flags: '--header <header>', summary: 'a header for the server, such as "Authorization: Bearer …"', many: true },
      DIR,
    ],
    examples: ['perdure app import mcp https://books.example/mcp --as books'],
    operations: [],
    load: async () => (await import('../commands/appImports.ts')).importMcp,
  },
  {
    name: 'app import piece',
    summary: 'Write an app of an Activepieces piece of npm, and its bundled code, into apps/',
    arguments: [{ name: '<package>', summary: 'name of the package, with @1.2.3 for a version; default: the latest' }],
    options: [AS, { flags: '--actions <ids>', summary: 'actions with commas; default: all' }, DIR],
    examples: ['perdure app import piece @activepieces/piece-baserow@0.10.0 --as baserow'],
    operations: [],
    load: async () => (await import('../commands/appImports.ts')).importPiece,
  },
];
