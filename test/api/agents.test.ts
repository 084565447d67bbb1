import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AGENT_DEFAULTS } from '../../domain/agent/definition.ts';
import { AGENT } from '../../prisma/store/agent/resource.ts';
import { type Api, api } from '../setup/api/client.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { makeWorkspace, stackDatabase, type TestWorkspace } from '../setup/workspace/workspace.ts';

let workspace: TestWorkspace;
let call: Api;
beforeAll(async () => {
  workspace = await makeWorkspace();
  call = api(workspace.url, workspace.apiKey);
});

const BODY = { slug: 'support', instructions: 'Help.', model: 'small' };

function upsert(body: object, by: Api = call) {
  return by('POST', `/api/projects/${workspace.projectId}/agents/upsert`, { body });
}

/** Inserts a connection directly, because its credentials are not used. */
async function connectionOf(appId: string): Promise<string> {
  const id = randomUUID();
  const { workspaceId } = workspace;
  const row = { id, workspaceId, workflowAppId: appId, connectionType: 'apiKey', name: `a connection of ${appId}` };
  await stackDatabase().connection.create({ data: { ...row, credentials: Buffer.alloc(0), keyId: 'k' } });
  return id;
}

describe('an upsert', () => {
  test('creates the agent of a slug; an equal one changes nothing, not even updatedAt', async () => {
    const made = await upsert({ ...BODY, slug: 'again' });
    expect(made.body).toEqual({
      id: made.body.id,
      name: 'again',
      slug: 'again',
      FK_aiConnectionId: null,
      managedByCode: true,
      created: true,
    });
    const updatedAt = async () =>
      (await call('GET', `/api/agents/${made.body.id}?expansion=updatedAt`)).body.updatedAt as string;
    const before = await updatedAt();
    const equal = await upsert({ ...BODY, slug: 'again', maxRetries: 2, temperature: null, tools: [] });
    expect(equal.body).toEqual({ ...made.body, created: false });
    expect(await updatedAt()).toBe(before);
    const changed = await upsert({ ...BODY, slug: 'again', instructions: 'Help more.' });
    expect(changed.body).toEqual({ ...made.body, created: false });
    expect(await updatedAt()).not.toBe(before);
  });

  test('twenty simultaneous ones create one agent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        upsert({ ...BODY, slug: 'at-once', instructions: `Help ${number % 3}.` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
  });

  test('name, description and editor fields stay if the body does not name them; settings do not', async () => {
    const { body } = await upsert({
      ...BODY,
      slug: 'kept',
      name: 'Kept',
      description: 'It stays',
      builderCanvasPositions: { a: [1, 2] },
      builderSetupCompletedAt: '2026-11-21T10:15:30.123Z',
      temperature: 0.5,
    });
    await upsert({ ...BODY, slug: 'kept' });
    const expansion = 'description,builderCanvasPositions,builderSetupCompletedAt,temperature';
    const read = await call('GET', `/api/agents/${body.id}?expansion=${expansion}`);
    expect(read.body).toEqual({
      id: body.id,
      name: 'Kept',
      FK_aiConnectionId: null,
      description: 'It stays',
      builderCanvasPositions: { a: [1, 2] },
      builderSetupCompletedAt: '2026-11-21T10:15:30.123Z',
      temperature: null,
    });
    await upsert({ ...BODY, slug: 'kept', description: null, builderCanvasPositions: null });
    const emptied = await call('GET', `/api/agents/${body.id}?expansion=description,builderCanvasPositions`);
    expect(emptied.body).toMatchObject({ description: null, builderCanvasPositions: null });
  });

  test('of an unknown project is 404', async () => {
    const answer = await call('POST', `/api/projects/${randomUUID()}/agents/upsert`, { body: BODY });
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('the names in an agent', () => {
  test('ids that do not exist are refused, each at its place', async () => {
    const id = randomUUID();
    const lists = [
      'connectionIds',
      'workflowIds',
      'knowledgeIds',
      'subAgentIds',
      'objectIds',
      'objectTypeIds',
      'variableIds',
    ];
    const { status, body } = await upsert({
      ...BODY,
      aiConnectionId: id,
      ...Object.fromEntries(lists.map((name) => [name, [id]])),
      tools: [{ appId: 'http', actionId: 'request', connectionId: id }],
      mcpServers: [{ name: 'm', url: 'https://mcp.example.com/', connectionId: id }],
    });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    const paths = body.errors
      .filter(({ message }: { message: string }) => message.startsWith('there is no '))
      .map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(
      [
        ...lists.map((name) => `${name}[0]`),
        'aiConnectionId',
        'tools[0].connectionId',
        'mcpServers[0].connectionId',
      ].sort(),
    );
  });

  test('ids of another workspace are treated like unknown ones', async () => {
    const other = await makeWorkspace();
    const theirs = api(other.url, other.apiKey);
    const agent = await theirs('POST', `/api/projects/${other.projectId}/agents/upsert`, { body: BODY });
    const { body } = await upsert({ ...BODY, subAgentIds: [agent.body.id] });
    expect(body.errors).toContainEqual({
      path: 'subAgentIds[0]',
      message: `there is no other agent ${agent.body.id}`,
    });
  });

  test('a connection of another app is refused', async () => {
    const connectionId = await connectionOf('http');
    const { body } = await upsert({ ...BODY, aiConnectionId: connectionId });
    expect(body.errors).toEqual([
      { path: 'aiConnectionId', message: 'the connection belongs to http, expected one of openai' },
    ]);
  });

  test('unknown actions, duplicate ones and invalid fixed values are rejected', async () => {
    const { body } = await upsert({
      ...BODY,
      tools: [
        { appId: 'none', actionId: 'x' },
        { appId: 'http', actionId: 'none' },
        { appId: 'http', actionId: 'request', inputs: { timeoutMs: 'soon', 'a b': 1 } },
        { appId: 'http', actionId: 'request' },
      ],
    });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'tools[0].appId',
      'tools[1].actionId',
      'tools[2].inputs.timeoutMs',
      'tools[2].inputs["a b"]',
      'tools[3]',
    ]);
  });
});

describe('settings', () => {
  test.each([{ phoneAccess: true }, { webAccess: true }, { a2aAgents: [{ url: 'https://agents.example.com/' }] }])(
    '%j is not supported and is rejected by name',
    async (setting) => {
      const { status, body } = await upsert({ ...BODY, slug: 'refused', ...setting });
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
      const [name] = Object.keys(setting);
      expect(body.errors).toEqual([{ path: name, message: expect.stringContaining('is not supported: ') }]);
      expect(body.detail).toContain(name);
    },
  );

  test('unknown built-in and platform tools are refused, and the error lists the known ones', async () => {
    const { status, body } = await upsert({
      ...BODY,
      slug: 'refused',
      enabledBuiltInTools: ['current_time', 'clock'],
      enabledPlatformTools: ['workflows'],
    });
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          path: 'enabledBuiltInTools[1]',
          message: 'there is no tool "clock": expected one of current_time, calculate',
        },
        { path: 'enabledPlatformTools[0]', message: expect.stringContaining('expected one of list_workflows, ') },
      ],
    ]);
  });

  test('accepts unsupported settings that are off', async () => {
    const {
      instructions: _i,
      selectedModelId: _m,
      ...defaults
    } = { ...AGENT_DEFAULTS, instructions: '', selectedModelId: '' };
    const { status, body } = await upsert({ ...BODY, slug: 'off', ...defaults });
    expect([status, body.created]).toEqual([200, true]);
    expect((await upsert({ ...BODY, slug: 'off' })).body.created).toBe(false);
  });

  test.each([
    [{ temperature: 3 }, 'temperature'],
    [{ maxRetries: 11 }, 'maxRetries'],
    [{ slug: 'No Slug' }, 'slug'],
    [{ memoryScope: 'world' }, 'memoryScope'],
    [{ unknownSetting: 1 }, 'unknownSetting'],
    [{ tools: [{ appId: 'http', actionId: 'request', policy: 'maybe' }] }, 'tools[0].policy'],
    [{ mcpServers: [{ name: 'm', url: 'file:///etc/passwd' }] }, 'mcpServers[0].url'],
  ])('%j is out of bounds', async (setting, path) => {
    const { status, body } = await upsert({ ...BODY, ...setting });
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([400, [path]]);
  });
});

describe('reads', () => {
  test('every expansion has correct values', async () => {
    const aiConnectionId = await connectionOf('openai');
    const { body } = await upsert({
      slug: 'whole',
      name: 'Whole',
      description: 'All of it',
      instructions: 'Help.',
      model: 'small',
      aiConnectionId,
      profileImageUrl: 'https://example.com/face.png',
      suggestedPrompts: ['Where is my order?'],
      temperature: 0.5,
      maxOutputTokens: 500,
      topP: 0.9,
      frequencyPenalty: 0.1,
      presencePenalty: -0.1,
      seed: 7,
      maxRetries: 0,
      maxToolRoundtrips: 3,
      messageLookbackLimit: 20,
      contextTokens: 50_000,
      tools: [{ appId: 'http', actionId: 'request', inputs: { method: 'GET' }, policy: 'approve' }],
      enabledToolPolicies: { http_request: 'deny' },
    });
    const expansion = Object.keys(AGENT.fields).join(',');
    const read = await call('GET', `/api/agents/${body.id}?expansion=${expansion}`);
    const {
      selectedModelId: _m,
      instructions: _i,
      ...shown
    } = { ...AGENT_DEFAULTS, instructions: '', selectedModelId: '' };
    const { connectionIds: _1, workflowIds: _2, subAgentIds: _3, knowledgeIds: _4, ...settings } = shown;
    const { objectIds: _5, objectTypeIds: _6, variableIds: _7, aiConnectionId: _8, ...defaults } = settings;
    expect(read.body).toEqual({
      ...defaults,
      selfInstructions: null,
      selfInstructionVersions: [],
      owner: null,
      id: body.id,
      name: 'Whole',
      slug: 'whole',
      FK_aiConnectionId: aiConnectionId,
      aiConnection: { id: aiConnectionId, name: 'a connection of openai' },
      description: 'All of it',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      managedByCode: true,
      instructions: 'Help.',
      selectedModelId: 'small',
      project: { id: workspace.projectId, name: expect.any(String) },
      tools: [{ appId: 'http', actionId: 'request', connectionId: null, inputs: { method: 'GET' }, policy: 'approve' }],
      toolIds: ['http.request'],
      knowledge: [],
      objects: [],
      objectTypes: [],
      connections: [],
      variables: [],
      workflows: [],
      subAgents: [],
      profileImageUrl: 'https://example.com/face.png',
      suggestedPrompts: ['Where is my order?'],
      temperature: 0.5,
      maxOutputTokens: 500,
      topP: 0.9,
      frequencyPenalty: 0.1,
      presencePenalty: -0.1,
      seed: 7,
      maxRetries: 0,
      maxToolRoundtrips: 3,
      messageLookbackLimit: 20,
      contextTokens: 50_000,
      enabledToolPolicies: { http_request: 'deny' },
      builderSetupCompletedAt: null,
      builderCanvasPositions: null,
    });
  });

  test('a list has the most recently updated first, and can be limited to a project', async () => {
    const project = await call('POST', '/api/projects', { body: { name: 'another' } });
    const path = `/api/projects/${project.body.id}/agents/upsert`;
    for (const slug of ['one', 'two']) await call('POST', path, { body: { ...BODY, slug } });
    await call('POST', path, { body: { ...BODY, slug: 'one', temperature: 1 } });
    const listed = await call(
      'GET',
      `/api/agents?filterBy=projectId:${project.body.id}&expansion=slug&includeType=all`,
    );
    expect(listed.body.map(({ slug }: { slug: string }) => slug)).toEqual(['one', 'two']);
    expect((await call('GET', `/api/projects/${project.body.id}?expansion=countAgents`)).body.countAgents).toBe(2);
  });
});

describe('a caller with agents:use and without agents:read', () => {
  test('sees agents that a live grant names, and no other', async () => {
    const [mine, expired, none] = await Promise.all(
      ['granted', 'expired', 'none'].map(async (slug) => (await upsert({ ...BODY, slug })).body.id as string),
    );
    const user = await keyOf(workspace, 'agents:use');
    await grant(workspace, mine as string, { apiKeyId: user.id }, { expiresAt: new Date(Date.now() + 3_600_000) });
    await grant(workspace, expired as string, { apiKeyId: user.id }, { expiresAt: new Date(Date.now() - 1000) });
    expect((await user.call('GET', '/api/agents')).body.map(({ id }: { id: string }) => id)).toEqual([mine]);
    expect((await user.call('GET', `/api/agents/${mine}`)).status).toBe(200);
    for (const id of [expired, none]) expect((await user.call('GET', `/api/agents/${id}`)).status).toBe(404);
    const stranger = await keyOf(workspace, 'agents:use');
    expect((await stranger.call('GET', '/api/agents?includeType=all')).body).toEqual([]);
  });

  test('may request description, profileImageUrl and suggestedPrompts only', async () => {
    const { body } = await upsert({ ...BODY, slug: 'shown', description: 'd', suggestedPrompts: ['p'] });
    const user = await keyOf(workspace, 'agents:use');
    await grant(workspace, body.id, { apiKeyId: user.id });
    const expansion = 'description,profileImageUrl,suggestedPrompts';
    const read = await user.call('GET', `/api/agents/${body.id}?expansion=${expansion}`);
    expect(read.body).toEqual({
      id: body.id,
      name: 'shown',
      FK_aiConnectionId: null,
      description: 'd',
      profileImageUrl: null,
      suggestedPrompts: ['p'],
    });
    const own = new Set([...expansion.split(','), 'id', 'name', 'FK_aiConnectionId']);
    for (const name of Object.keys(AGENT.fields).filter((each) => !own.has(each))) {
      for (const path of [`/api/agents/${body.id}`, '/api/agents']) {
        const answer = await user.call('GET', `${path}?expansion=description,${name}`);
        expect([name, answer.status, answer.body.code]).toEqual([name, 403, 'FORBIDDEN']);
        expect(answer.body.detail).toContain(name);
      }
    }
    const unknown = await user.call('GET', `/api/agents/${body.id}?expansion=nothing`);
    expect(unknown.status).toBe(400);
    const reader = await keyOf(workspace, 'agents:use', 'agents:read');
    expect((await reader.call('GET', `/api/agents/${body.id}?expansion=instructions`)).body.instructions).toBe('Help.');
  });

  test('cannot create an agent', async () => {
    const user = await keyOf(workspace, 'agents:use', 'agents:read');
    expect((await upsert(BODY, user.call)).status).toBe(403);
    const writer = await keyOf(workspace, 'agents:write');
    expect((await upsert({ ...BODY, slug: 'written' }, writer.call)).body.created).toBe(true);
    expect((await writer.call('GET', '/api/agents')).status).toBe(403);
  });
});
