import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
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
  <Name extends string = never>() =>
  (search: Record<string, unknown>) =>
    search as Texts<Name>;

type Texts<Name extends string> = { [Each in Name]?: string | undefined };

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

/** A page next to the navigation. `search`: the parameters that it reads from the address. */
const inFrame = <const Path extends string, Name extends string = never>(
  path: Path,
  component: RouteComponent,
  search: (given: Record<string, unknown>) => Texts<Name> = texts(),
) => createRoute({ getParentRoute: () => frame, path, component, validateSearch: search });

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

/**
 * One component for both addresses, so that the editor continues when the first save gives a new workflow its address.
 */
const editorPage = page(() => import('../features/editor/WorkflowEditorPage.tsx'), 'WorkflowEditor');

type EditorSearch = 'tab' | 'format' | 'sample' | 'node' | 'run';

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

const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  component: page(() => import('../features/account/SetPasswordPage.tsx'), 'SetPassword'),
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href } });
  },
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

export const ROUTER = createRouter({
  routeTree: root.addChildren([
    login,
    connect,
    connectionsReturn,
    verifyToken,
    setPassword,
    frame.addChildren([
      home,
      inFrame(
        '/executions',
        page(() => import('../features/executions/ExecutionsPage.tsx'), 'Executions'),
        texts<
          | 'status'
          | 'q'
          | 'workflow'
          | 'version'
          | 'since'
          | 'after'
          | 'before'
          | 'retrying'
          | 'retried'
          | 'acknowledged'
          | 'held'
          | 'waitingForApproval'
          | 'waitingForWorker'
          | 'draft'
          | 'label'
          | 'number'
          | 'errorCode'
          | 'failedNodeId'
          | 'task'
        >(),
      ),
      inFrame(
        '/executions/$executionId',
        page(() => import('../features/executions/ExecutionPage.tsx'), 'Execution'),
        texts<'tab' | 'step' | 'pane'>(),
      ),
      inFrame(
        '/executions/$executionId/compare',
        page(() => import('../features/executions/compare/ExecutionComparisonPage.tsx'), 'ExecutionComparison'),
        texts<'with' | 'all'>(),
      ),
      inFrame(
        '/workflows',
        page(() => import('../features/workflows/WorkflowsPage.tsx'), 'Workflows'),
        texts<'q' | 'project' | 'state' | 'trigger'>(),
      ),
      inFrame(
        '/workflows/$workflowId',
        page(() => import('../features/workflows/WorkflowPage.tsx'), 'Workflow'),
        texts<'tab' | 'run' | 'status' | 'draft' | 'from' | 'to' | 'graph' | 'node'>(),
      ),
      inFrame(
        '/templates',
        page(() => import('../features/templates/TemplatesPage.tsx'), 'Templates'),
      ),
      inFrame('/workflows/$workflowId/edit', editorPage, texts<EditorSearch>()),
      inFrame('/workflows/new', editorPage, texts<EditorSearch>()),
      inFrame(
        '/inbox',
        page(() => import('../features/inbox/InboxPage.tsx'), 'Inbox'),
        texts<'question' | 'approval' | 'item' | 'mine' | 'queue'>(),
      ),
      inFrame(
        '/queues',
        page(() => import('../features/queues/QueuesPage.tsx'), 'Queues'),
        texts<'q' | 'deleted' | 'new'>(),
      ),
      inFrame(
        '/queues/$queueId',
        page(() => import('../features/queues/QueuePage.tsx'), 'Queue'),
        texts<'status' | 'priority' | 'q' | 'externalId' | 'worker' | 'since' | 'item'>(),
      ),
      inFrame(
        '/objects',
        page(() => import('../features/entities/ObjectTypesPage.tsx'), 'ObjectTypes'),
        texts<'new'>(),
      ),
      inFrame(
        '/objects/$typeSlug',
        page(() => import('../features/entities/ObjectTypePage.tsx'), 'ObjectType'),
        texts<'tab' | 'q' | 'state' | 'sort' | 'order' | 'page' | 'deleted' | 'columns' | `attributes.${string}`>(),
      ),
      inFrame(
        '/objects/$typeSlug/$id',
        page(() => import('../features/entities/EntityPage.tsx'), 'Entity'),
      ),
      settings,
      inFrame(
        '/settings/connections',
        page(() => import('../features/connections/ConnectionsPage.tsx'), 'Connections'),
        texts<'app' | 'all' | 'connected' | 'error' | 'new'>(),
      ),
      inFrame(
        '/settings/variables',
        page(() => import('../features/variables/VariablesPage.tsx'), 'Variables'),
        texts<'project' | 'new'>(),
      ),
      inFrame(
        '/settings/people',
        page(() => import('../features/people/PeoplePage.tsx'), 'People'),
      ),
      inFrame(
        '/settings/keys',
        page(() => import('../features/keys/KeysPage.tsx'), 'Keys'),
      ),
      inFrame(
        '/settings/audit',
        page(() => import('../features/audit/AuditPage.tsx'), 'Audit'),
        texts<'actor' | 'action' | 'resourceType' | 'resourceId' | 'outcome' | 'after' | 'before'>(),
      ),
      inFrame(
        '/settings/account',
        page(() => import('../features/account/AccountPage.tsx'), 'Account'),
        texts<'invitation'>(),
      ),
      inFrame(
        '/settings/system',
        page(() => import('../features/system/SystemPage.tsx'), 'System'),
      ),
      inFrame(
        '/agents',
        page(() => import('../features/agents/AgentsPage.tsx'), 'Agents'),
        texts<'new'>(),
      ),
      agent,
      task,
      inFrame(
        '/apps',
        page(() => import('../features/apps/AppsPage.tsx'), 'Apps'),
        texts<'q' | 'show'>(),
      ),
      inFrame(
        '/apps/$appId',
        page(() => import('../features/apps/AppPage.tsx'), 'AppPage'),
      ),
      inFrame(
        '/knowledge',
        page(() => import('../features/knowledge/KnowledgePage.tsx'), 'Knowledge'),
        texts<'new'>(),
      ),
      inFrame(
        '/knowledge/$knowledgeId',
        page(() => import('../features/knowledge/KnowledgeBasePage.tsx'), 'KnowledgeBase'),
        texts<'tab' | 'document' | 'part' | 'q' | 'mode' | 'limit' | 'filter'>(),
      ),
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
