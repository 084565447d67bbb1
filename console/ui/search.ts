import type { RegisteredRouter, RouteById, RouteIds } from '@tanstack/react-router';

/** The search parameters of any page's address. */
export type Search = Record<string, string | undefined>;

type Routes = RegisteredRouter['routeTree'];

/** The search parameters that `app/router.tsx` declares for a route: `SearchOf<'/frame/queues'>`. */
export type SearchOf<Id extends RouteIds<Routes>> = RouteById<Routes, Id>['types']['fullSearchSchema'];
