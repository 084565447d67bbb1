// The import rules of docs/architecture.md ("Folders"), as data; `npm run lint` checks them.

/** For each room what of the project it may import, and which packages it never may. */
const ROOMS = {
  domain: { rooms: ['domain'], never: ['node:', '^(express|pg|pino|undici|uuid|@prisma|@temporalio|prisma)'] },
  'temporal-workflows': {
    rooms: ['domain', 'temporal-workflows'],
    never: ['^(express|pg|pino|undici|@prisma)', 'node:'],
  },
  prisma: { rooms: ['domain', 'prisma', 'config', 'projectRoot'], never: ['^(express|@temporalio)'] },
  engine: {
    rooms: ['domain', 'prisma', 'engine', 'temporal-workflows/names', 'config', 'projectRoot'],
    never: ['^express'],
  },
  activities: {
    rooms: ['domain', 'prisma', 'engine', 'runner', 'activities', 'config', 'projectRoot'],
    never: ['^express'],
  },
  runner: {
    rooms: ['domain', 'runner', 'projectRoot'],
    never: [],
  },
  api: {
    rooms: ['domain', 'prisma', 'engine', 'api', 'config', 'process/parts', 'projectRoot', 'process/runProcess'],
    also: '^activities/apps/(catalogue|connectionChecks?|optionLoaders|webhookReceivers?|[^/]+/manifest)\\.ts$',
    never: ['^@temporalio'],
  },
};

const ROOT_FILES = ['config', 'projectRoot'];

/** The folders of the product itself. */
const PRODUCT = [...Object.keys(ROOMS), 'worker', 'embedded', 'process', 'settings'];

/**
 * Packages that few processes need, or late: `await import(…)` where they are used. Loaded with the start they were a third
 * of its modules.
 */
const AT_FIRST_USE = [
  'ai',
  'feedsmith',
  'imapflow',
  'mailparser',
  'mysql2',
  'nodemailer',
  'openai',
  'yaml',
  '@aws-sdk/client-s3',
  '@energetic-ai',
  '@modelcontextprotocol',
  '@zxcvbn-ts',
];

function inRooms(rooms) {
  return `^(${rooms.map((room) => (room.includes('/') || ROOT_FILES.includes(room) ? `${room}\\.ts$` : `${room}/`)).join('|')})`;
}

module.exports = {
  forbidden: [
    ...Object.entries(ROOMS).flatMap(([room, { rooms, also, never }]) => [
      {
        name: `${room}-imports`,
        severity: 'error',
        comment: `${room} may import ${rooms.join(', ')} alone`,
        from: { path: `^${room}/`, pathNot: '\\.test\\.ts$' },
        to: {
          pathNot: also ? [inRooms(rooms), also] : [inRooms(rooms)],
          path: `^(${[...PRODUCT, 'test', 'bench'].join('|')})/|^[^/]+\\.ts$`,
        },
      },
      ...never.map((path, index) => ({
        name: `${room}-packages-${index}`,
        severity: 'error',
        from: { path: `^${room}/`, pathNot: '\\.test\\.ts$' },
        // Hashing is pure.
        to:
          path === 'node:'
            ? { dependencyTypes: ['core'], pathNot: '^crypto$' }
            : { path: path.replace('^', 'node_modules/'), dependencyTypesNot: ['type-only'] },
      })),
    ]),
    {
      name: 'fence-imports',
      severity: 'error',
      comment: 'the process that runs the code of others loads nothing but the fence and modules of Node',
      from: { path: '^runner/fence/' },
      to: { pathNot: '^runner/fence/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'client-imports',
      severity: 'error',
      comment: 'perdure-client stands alone: it runs in browsers, and is published by itself',
      from: { path: '^client/.+\\.ts$' },
      to: { pathNot: '^(client/|node_modules/eventsource-parser/)' },
    },
    {
      name: 'no-client-in-product',
      severity: 'error',
      from: { path: `^(${PRODUCT.join('|')})/` },
      to: { path: '^(client|cli|cases)/' },
    },
    {
      name: 'cli-imports',
      severity: 'error',
      comment:
        'the command line stands on the client alone; `start` is the product, `test` runs it, `validate`, `types` and `schema` have its rules, a folder its places; a case is recorded by one rule; durations, ids, objects and places are read by one reader; a plan leaves defaults out',
      from: { path: '^cli/', pathNot: '\\.test\\.ts$' },
      to: {
        path: `^(${[...PRODUCT, 'test', 'bench'].join('|')})/`,
        pathNot:
          '^(runner/(egress|runnerProcess)|embedded/(main|projectFiles|cacheFolder)|api/operations/bundles/(offlineProblems|offlineOutputs|offlineSchema|offlineFields|offlineConnections)|domain/(outputs/workflowOutputs|case/recordedCase|agent/definition|bundle/(folders|bundle|defaults|moves)|duration|isUuid|json|place|isEqualJson|agent/mcpTool|mcp/toolAction|openapi/(documentText|importedApp)|piece/importedPiece))\\.ts$',
      },
    },
    {
      name: 'console-imports',
      severity: 'error',
      comment: 'the console stands on the client, and on the rules of domain/ where it has them',
      from: { path: '^console/', pathNot: '\\.test\\.ts$' },
      to: {
        path: `^(${[...PRODUCT.filter((room) => room !== 'domain'), 'cli', 'test', 'bench'].join('|')})/|^[^/]+\\.ts$`,
      },
    },
    {
      name: 'console-ui',
      severity: 'error',
      comment:
        'ui/ has no domain: no session, no queries, no feature; two preferences are in the table of what browsers store',
      from: { path: '^console/ui/' },
      to: { path: '^console/(app|features)/', pathNot: '^console/app/storage/browserStorage\\.ts$' },
    },
    {
      name: 'console-app',
      severity: 'error',
      comment: 'what features build on does not know them',
      from: { path: '^console/app/(api|delivery|dialog|lists|pages|proof|session|storage)/' },
      to: { path: '^console/(features/|app/(feed|frame)/|app/[^/]+$)' },
    },
    {
      name: 'console-features',
      severity: 'error',
      comment: 'the router and the frame know the features, not the other way round',
      from: { path: '^console/features/' },
      to: { path: '^console/app/((feed|frame)/|[^/]+$)' },
    },
    {
      name: 'console-folders',
      severity: 'error',
      comment: 'no two folders of the console import each other',
      scope: 'folder',
      from: { path: '^console/' },
      to: { circular: true },
    },
    {
      name: 'no-console-elsewhere',
      severity: 'error',
      from: { pathNot: '^console/' },
      to: { path: '^console/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-tests-in-product',
      severity: 'error',
      from: { pathNot: '(\\.test\\.ts$|^test/|^bench/)' },
      to: { path: '^(test|bench)/|\\.test\\.ts$' },
    },
    {
      name: 'no-tools-in-product',
      severity: 'error',
      comment: 'tools/ writes pages of docs/ from tables of the product',
      from: { path: `^(${PRODUCT.join('|')}|cli|client|cases|console)/`, pathNot: '\\.test\\.ts$' },
      to: { path: '^tools/' },
    },
    {
      name: 'loaded-at-first-use',
      severity: 'error',
      from: {
        path: '^(domain|prisma|engine|activities|api|worker|process|embedded)/',
        pathNot: [
          '\\.test\\.ts$',
          '^activities/embeddings/localEncoder\\.ts$',
          '^api/access/strengthThread\\.ts$',
          '^embedded/examples/',
        ],
      },
      to: { path: `node_modules/(${AT_FIRST_USE.join('|')})/`, dynamic: false, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|client/dist|prisma/generated|\\.perdure|\\.scratch)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
