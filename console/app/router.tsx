import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { Loading } from '../ui/Loading.tsx';
import { loaded } from '../ui/load/lazyPart.ts';
import { ME, type Permission } from './api/me.ts';
import { QUERIES } from './api/queries.ts';
import { Frame, NoSuchPage } from './frame/Frame.tsx';
import { FrameFailure, PageFailure } from './pages/PageFailure.tsx';
import { nextPage, takePageAfterLogin } from './session/pageAfterLogin.ts';
import { isLoggedIn } from './session/session.ts';
import { openKeptFiles } from './storage/keptFiles.ts';

/** Types the search parameters of a route. `parseSearch` makes all of them texts, so there is nothing to check. */
const texts =
  <Name extends string>() =>
  (search: Record<string, unknown>) =>
    search as { [Each in Name]?: string | undefined };

const page = <Pages extends Record<string, unknown>, Name extends keyof Pages>(
  load: () => Promise<Pages>,
  name: Name,
) => lazyRouteComponent(() => loaded(load), name);

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: texts<'next' | 'ended' | 'error'>(),
  component: page(() => import('../features/login/LoginPage.tsx'), 'Login'),
});

/** The first and last page of an OAuth2 flow, for people without a login. */
const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect',
  validateSearch: texts<'ticket' | 'connected' | 'error'>(),
  component: page(() => import('../features/connections/ConnectPage.tsx'), 'Connect'),
});

const verifyToken = createRoute({
  getParentRoute: () => root,
  path: '/verify-token',
  component: page(() => import('../features/login/VerifyTokenPage.tsx'), 'VerifyToken'),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  errorComponent: FrameFailure,
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href } });
  },
});

async function leaveHome(): Promise<void> {
  const page = nextPage(takePageAfterLogin());
  if (page !== '/') throw redirect({ href: page, replace: true });
  await leaveToAgents();
}

/** Users with agents:use only are redirected to /agents: the home page has nothing for them. */
async function leaveToAgents(): Promise<void> {
  // The page itself reports an unreachable API.
  const me = await QUERIES.ensureQueryData(ME).catch(() => undefined);
  const may = (permission: Permission) => me?.permissions.includes(permission) === true;
  if (may('agents:use') && !may('executions:read')) throw redirect({ to: '/agents' });
}

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: texts<'since'>(),
  component: page(() => import('../features/home/HomePage.tsx'), 'Home'),
  beforeLoad: leaveHome,
});

const executions = createRoute({
  getParentRoute: () => frame,
  path: '/executions',
  validateSearch: texts<
    | 'status'
    | 'q'
    | 'workflow'
    | 'version'
    | 'since'
    | 'after'
    | 'before'
    | 'retrying'
    | 'retried'
    | 'held'
    | 'waitingForApproval'
    | 'label'
    | 'number'
    | 'errorCode'
    | 'failedNodeId'
    | 'task'
  >(),
  component: page(() => import('../features/executions/ExecutionsPage.tsx'), 'Executions'),
});

const execution = createRoute({
  getParentRoute: () => frame,
  path: '/executions/$executionId',
  validateSearch: texts<'tab' | 'step' | 'pane'>(),
  component: page(() => import('../features/executions/ExecutionPage.tsx'), 'Execution'),
});

const executionComparison = createRoute({
  getParentRoute: () => frame,
  path: '/executions/$executionId/compare',
  validateSearch: texts<'with' | 'all'>(),
  component: page(() => import('../features/executions/compare/ExecutionComparisonPage.tsx'), 'ExecutionComparison'),
});

const queues = createRoute({
  getParentRoute: () => frame,
  path: '/queues',
  validateSearch: texts<'q' | 'deleted'>(),
  component: page(() => import('../features/queues/QueuesPage.tsx'), 'Queues'),
});

const queue = createRoute({
  getParentRoute: () => frame,
  path: '/queues/$queueId',
  validateSearch: texts<'status' | 'priority' | 'q' | 'externalId' | 'worker' | 'since' | 'item'>(),
  component: page(() => import('../features/queues/QueuePage.tsx'), 'Queue'),
});

const inbox = createRoute({
  getParentRoute: () => frame,
  path: '/inbox',
  validateSearch: texts<'question' | 'approval' | 'item' | 'mine' | 'queue'>(),
  component: page(() => import('../features/inbox/InboxPage.tsx'), 'Inbox'),
});

const workflows = createRoute({
  getParentRoute: () => frame,
  path: '/workflows',
  validateSearch: texts<'q' | 'project' | 'state' | 'trigger'>(),
  component: page(() => import('../features/workflows/WorkflowsPage.tsx'), 'Workflows'),
});

const workflow = createRoute({
  getParentRoute: () => frame,
  path: '/workflows/$workflowId',
  validateSearch: texts<'tab' | 'run' | 'status' | 'from' | 'to' | 'graph' | 'node'>(),
  component: page(() => import('../features/workflows/WorkflowPage.tsx'), 'Workflow'),
});

/**
 * One component for both addresses, so that the editor continues when the first save gives a new workflow its address.
 */
const editorPage = page(() => import('../features/editor/WorkflowEditorPage.tsx'), 'WorkflowEditor');

type EditorSearch = 'tab' | 'format' | 'sample' | 'node';

const workflowEditor = createRoute({
  getParentRoute: () => frame,
  path: '/workflows/$workflowId/edit',
  validateSearch: texts<EditorSearch>(),
  component: editorPage,
});

const newWorkflow = createRoute({
  getParentRoute: () => frame,
  path: '/workflows/new',
  validateSearch: texts<EditorSearch>(),
  component: editorPage,
});

/** The API redirects here from an OAuth2 provider: `CLIENT_URL/connections?connected=…`, or `?error=…`. */
const connectionsReturn = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  validateSearch: texts<'ticket' | 'connected' | 'error'>(),
  beforeLoad: ({ search }) => {
    if (!isLoggedIn()) throw redirect({ to: '/connect', search, replace: true });
    throw redirect({ to: '/settings/connections', search, replace: true });
  },
});

const settings = createRoute({
  getParentRoute: () => frame,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/account', replace: true });
  },
});

const connections = createRoute({
  getParentRoute: () => frame,
  path: '/settings/connections',
  validateSearch: texts<'app' | 'all' | 'connected' | 'error'>(),
  component: page(() => import('../features/connections/ConnectionsPage.tsx'), 'Connections'),
});

const variables = createRoute({
  getParentRoute: () => frame,
  path: '/settings/variables',
  validateSearch: texts<'project'>(),
  component: page(() => import('../features/variables/VariablesPage.tsx'), 'Variables'),
});

const people = createRoute({
  getParentRoute: () => frame,
  path: '/settings/people',
  component: page(() => import('../features/people/PeoplePage.tsx'), 'People'),
});

const keys = createRoute({
  getParentRoute: () => frame,
  path: '/settings/keys',
  component: page(() => import('../features/keys/KeysPage.tsx'), 'Keys'),
});

const audit = createRoute({
  getParentRoute: () => frame,
  path: '/settings/audit',
  validateSearch: texts<'actor' | 'action' | 'resourceType' | 'resourceId' | 'outcome' | 'after' | 'before'>(),
  component: page(() => import('../features/audit/AuditPage.tsx'), 'Audit'),
});

const account = createRoute({
  getParentRoute: () => frame,
  path: '/settings/account',
  validateSearch: texts<'invitation'>(),
  component: page(() => import('../features/account/AccountPage.tsx'), 'Account'),
});

const system = createRoute({
  getParentRoute: () => frame,
  path: '/settings/system',
  component: page(() => import('../features/system/SystemPage.tsx'), 'System'),
});

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  component: page(() => import('../features/account/SetPasswordPage.tsx'), 'SetPassword'),
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href } });
  },
});

const settingsPages = [settings, connections, variables, people, keys, audit, account, system];

const agents = createRoute({
  getParentRoute: () => frame,
  path: '/agents',
  component: page(() => import('../features/agents/AgentsPage.tsx'), 'Agents'),
});

const agent = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId',
  validateSearch: texts<'tab' | 'view'>(),
  component: page(() => import('../features/agents/AgentPage.tsx'), 'Agent'),
  loader: openKeptFiles,
});

const task = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId/tasks/$taskId',
  component: page(() => import('../features/agents/TaskPage.tsx'), 'Task'),
  loader: openKeptFiles,
});

const knowledge = createRoute({
  getParentRoute: () => frame,
  path: '/knowledge',
  component: page(() => import('../features/knowledge/KnowledgePage.tsx'), 'Knowledge'),
});

const knowledgeBase = createRoute({
  getParentRoute: () => frame,
  path: '/knowledge/$knowledgeId',
  validateSearch: texts<'tab' | 'document' | 'part' | 'q' | 'mode' | 'limit' | 'filter'>(),
  component: page(() => import('../features/knowledge/KnowledgeBasePage.tsx'), 'KnowledgeBase'),
});

const objectTypes = createRoute({
  getParentRoute: () => frame,
  path: '/objects',
  component: page(() => import('../features/entities/ObjectTypesPage.tsx'), 'ObjectTypes'),
});

const objectType = createRoute({
  getParentRoute: () => frame,
  path: '/objects/$typeSlug',
  validateSearch: texts<
    'tab' | 'q' | 'state' | 'sort' | 'order' | 'page' | 'deleted' | 'columns' | `attributes.${string}`
  >(),
  component: page(() => import('../features/entities/ObjectTypePage.tsx'), 'ObjectType'),
});

const entity = createRoute({
  getParentRoute: () => frame,
  path: '/objects/$typeSlug/$id',
  component: page(() => import('../features/entities/EntityPage.tsx'), 'Entity'),
});

const objectPages = [objectTypes, objectType, entity];

export const ROUTER = createRouter({
  routeTree: root.addChildren([
    login,
    connect,
    connectionsReturn,
    verifyToken,
    setPassword,
    frame.addChildren([
      home,
      executions,
      execution,
      executionComparison,
      workflows,
      workflow,
      workflowEditor,
      newWorkflow,
      inbox,
      queues,
      queue,
      ...objectPages,
      ...settingsPages,
      agents,
      agent,
      task,
      knowledge,
      knowledgeBase,
    ]),
  ]),
  basepath: '/console',
  defaultErrorComponent: PageFailure,
  // Also shown while the code cannot be loaded.
  defaultPendingComponent: Loading,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Plain texts that people read and share, not JSON: `?status=FAILED&number=7`.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof ROUTER;
  }
}
