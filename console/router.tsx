import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { Frame } from './parts/Frame.tsx';
import { NoSuchPage } from './parts/NoSuchPage.tsx';
import { PageFailure } from './parts/PageFailure.tsx';
import type { Search } from './search.ts';
import { isLoggedIn } from './session.ts';

const asTexts = (search: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

const root = createRootRoute({ component: Outlet, notFoundComponent: NoSuchPage, validateSearch: asTexts });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('./pages/Login.tsx'), 'Login'),
});

const verifyToken = createRoute({
  getParentRoute: () => root,
  path: '/verify-token',
  component: lazyRouteComponent(() => import('./pages/VerifyToken.tsx'), 'VerifyToken'),
});

/** All pages of people who are logged in. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  beforeLoad: ({ location }) => {
    if (!isLoggedIn()) throw redirect({ to: '/login', search: { next: location.href } });
  },
});

const home = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/Home.tsx'), 'Home'),
});

const executions = createRoute({
  getParentRoute: () => frame,
  path: '/executions',
  component: lazyRouteComponent(() => import('./pages/Executions.tsx'), 'Executions'),
});

const execution = createRoute({
  getParentRoute: () => frame,
  path: '/executions/$executionId',
  component: lazyRouteComponent(() => import('./pages/Execution.tsx'), 'Execution'),
});

const workflows = createRoute({
  getParentRoute: () => frame,
  path: '/workflows',
  component: lazyRouteComponent(() => import('./pages/Workflows.tsx'), 'Workflows'),
});

const workflow = createRoute({
  getParentRoute: () => frame,
  path: '/workflows/$workflowId',
  component: lazyRouteComponent(() => import('./pages/Workflow.tsx'), 'Workflow'),
});

export const ROUTER = createRouter({
  routeTree: root.addChildren([
    login,
    verifyToken,
    frame.addChildren([home, executions, execution, workflows, workflow]),
  ]),
  basepath: '/console',
  defaultErrorComponent: PageFailure,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // `?status=FAILED&number=7`: plain texts, which people read and share.
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
