// The rooms of tests as data: test/run.mjs runs them in this order, each when the one before has ended. The quick ones
// come first and fail first.

/**
 * @typedef {object} Room @property {string} name @property {number} workers Files at once. @property {number} timeoutMs
 * Default timeout of a test or a hook. @property {boolean} [built] Runs something of dist/. @property {boolean} [stack]
 * Needs the one stack that serves the whole run. @property {boolean} [temporal] Its files start Temporal servers of their
 * own. @property {string[]} [files] Its files, where they are not those of its
 * folder. @property {boolean} [onPurpose] Runs only where --room names it. @property {boolean} [database] Uses the
 * database: DATABASE_URL makes a difference. @property {string[]} [notOfDatabase] Its files for which it makes none.
 * @property {string[]} [long] Its files that a mere `npm test` leaves out. Both are names, without `.test.ts`.
 */

/** Files beside the code: all test files outside the rooms' folders in test/. */
export const UNIT = 'unit';

/** @returns {string[]} */
const names = (text) => text.trim().split(/\s+/);

/**
 * What a mere `npm test` leaves out, so that it takes no longer than one waits for it: the files that cost most for what
 * they alone cover. `.ci/run` runs all. A change in what one of them is about is a reason to run it by its name.
 */
const LONG = {
  // What statements read of many rows is for the real Postgres to show; streams beside writes that run for long.
  embedded: names(`
    endedItems executionIndexes explorer fairBatches fairReads githubApp knowledgeVectors listening loginTiming manyExecutions
    objectIndexes objectMatches openQuestions pageExpansions plainOwner postgresBackup reconcilerAway reconcilerReads resourceLists rotateKeys
    searchesApart statementTimeout workspaceStream workspaceStreamLimits`),
  // Loops, turns and retries beyond one history; random graphs; what waits for the reconciler.
  workflows: names(`
    abandonedChildren boundedHistories largeSubWorkflows longTurns polls refusedData regionLoops resetLoops resets
    retriedLoops retries truth`),
  // Every mistake of every operation, every action behind every door; commands and generated clients, which are processes
  // of their own; own stacks.
  api: names(`
    admin behindEveryDoor doctor errorPlaces examples executionStreamLoops generatedClients retryLoops retryTakeOver shortTimes
    webhookStrangers workflowTests`),
  // One worst moment of each area stays: of executions, queues, turns, an ingestion.
  kills: names(`
    acceptedChildren agentApprovals alerts backlog bundles chaos databaseRefuses dutyShards eventDeliveries folderBackup givenUp grantCap
    held largeLoops oauth2 overflow partGone randomTurns searchTool shares startLine traces triggers turnsGoOn versions webhookOrigin
    workSurface`),
  // Two hundred nodes, moved and written in; each form of the editor by axe, light and dark, wide and narrow; an API of its
  // own; walks of all or every fifth page: by Tab, as who may only read, beside an API that goes away or refuses; every kind
  // of menu; two tabs, and a session that ends in one; two people at the same thing; what a page, the timeline, or the dialog
  // of a retry, has beside its main journey.
  console: names(`
    account agentSettings answerAll answers apiAway away buildsCallingWorkflow buildsStarted byKeyboard chatAtOnce chatFiles closedQuestions codeSearch comparedRetries
    editorAccessible editorClipboard editorDurations editorFrames editorLacks editorSamples editorTabs editorTriggers editorValues executionKeys executionTimes
    executionQuestions importAway jobsByKeyboard leftOut linkByMail links listRows longNames movingTime notifications openLong openMenus
    loginByProvider newVersion phoneFilters plainHttp requestFails retryDialog revokedElsewhere sessionEnds sessionEndsElsewhere settingsAway tabWalk timeline twoPeople viewer`),
  // A clone of its own, with all packages installed once more.
  newcomer: names('newcomer package'),
};

/**
 * What decides in these files is not the database. It is the request before any statement (its document, its credential, its
 * mistakes), or the engine, a model, code or a server behind it; their rows are written and read as in other files, which
 * run on both databases. A file about what a statement finds, orders, locks, refuses or tells others is none of them.
 */
const NOT_OF_DATABASE = {
  // They start a server of their own.
  embedded: names('plainOwner postgresBackup'),
  workflows: names(`
    agentApp atOnce boundedHistories endedByHand longTurns loops payloads regionAgain regionLoops resetLoops resets
    schedules stacks subWorkflows temporalUi timeouts unsent`),
  api: names(`
    accessDocs admin agentData agentDiscovery agentDocs agentMcp agentModelSettings agentPlans agentSecrecy agentSelfInstructions
    agentTools code connectionRequired earlyLeavers echoedCredentials errorPlaces everyDoor executionBranches
    executionConnections executionRetries executionSecrets executionStreamLoops generatedClients nodeTests
    objectPermissions queueDocs readme retryTakeOver runs secrecy secretsInOutputs shortTimes stepKeys subAgents taskNaming toolResults
    turnFailures turnWire useChat validateWorkflow webhookAnswers webhookBodies webhookCredentials webhookSignatures
    workflowTests`),
  // A server of its own goes on when its clients are killed: a killed client's statement commits, its lock stands, and
  // processes contend for rows, which PGlite serves one after the other. These depend on the engine, a provider or the start.
  kills: names(`
    acceptedChildren agentApprovals folderBackup alerts held ingestion overflow searchTool shares stack startLine triggers turns turnsGoOn
    versions webhookOrigin workSurface`),
};

/** @type {Room[]} */
export const ROOMS = [
  { name: 'rules', workers: 1, timeoutMs: 300_000 },
  { name: UNIT, built: true, workers: 3, timeoutMs: 30_000 },
  { name: 'replay', workers: 1, timeoutMs: 60_000 },
  { name: 'embedded', built: true, temporal: true, database: true, workers: 2, timeoutMs: 90_000 },
  // Much of it waits for timers, and for the reconciler every few seconds: more files at once than there are cores. On a machine
  // that was busy besides, what takes 20 s by itself took 90 s.
  { name: 'workflows', stack: true, database: true, workers: 5, timeoutMs: 180_000 },
  { name: 'api', stack: true, database: true, workers: 3, timeoutMs: 60_000 },
  // Each file has a stack of its own, and waits more than it works.
  { name: 'kills', built: true, temporal: true, database: true, workers: 4, timeoutMs: 180_000 },
  // Pages in a real browser, on the one stack.
  { name: 'console', built: true, stack: true, workers: 3, timeoutMs: 120_000 },
  { name: 'newcomer', built: true, workers: 1, timeoutMs: 600_000 },
  // A real PgBouncer before a real Postgres: node test/withPostgres.mjs npm test -- --room pooler
  { name: 'pooler', onPurpose: true, built: true, workers: 1, timeoutMs: 240_000 },
  // npm run test:compose: needs a container engine, and Docker's Compose.
  { name: 'containers', onPurpose: true, built: true, workers: 1, timeoutMs: 240_000 },
  // npm run test:fuzz
  { name: 'fuzz', onPurpose: true, stack: true, workers: 1, timeoutMs: 120_000 },
  {
    name: 'histories',
    files: ['test/replay/recordHistories.ts'],
    onPurpose: true,
    stack: true,
    workers: 1,
    timeoutMs: 120_000,
  },
  {
    name: 'pictures',
    files: ['test/pictures/takePictures.ts'],
    onPurpose: true,
    stack: true,
    workers: 1,
    timeoutMs: 300_000,
  },
];

for (const room of ROOMS) Object.assign(room, { long: LONG[room.name], notOfDatabase: NOT_OF_DATABASE[room.name] });

/** `npm run test:production`: the one stack is the layout of docker-compose.yml (test/production/productionStack.ts). */
export const PRODUCTION_ROOMS = [
  // One file after the other: `processes` stops every process of the layout.
  { name: 'production', stack: true, database: true, workers: 1, timeoutMs: 120_000 },
  ...ROOMS.filter(({ stack, onPurpose }) => stack && !onPurpose),
];

/** The name of the room of a test file; `path` from the root of the project. */
export function roomOf(path) {
  const [, folder] = /^test\/([^/]+)\/.+$/.exec(path) ?? [];
  return folder ?? UNIT;
}
