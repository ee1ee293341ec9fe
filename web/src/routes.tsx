import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { ConsoleScreen } from '#api/contract/index.ts'
import { loadScreen } from './api/load-screen.ts'
import { ErrorScreen } from './frame/error-screen.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFoundScreen } from './frame/not-found-screen.tsx'
import { Skeleton } from './parts/states.tsx'
import type { GivenSearch } from './parts/given-search.ts'
import { readActivitySearch } from './screens/activity/activity-search.ts'
import { readBalanceSearch } from './screens/balance/balance-search.ts'
import { readRequestsSearch } from './screens/requests/requests-search.ts'
import { readUsageSearch } from './screens/usage/usage-search.ts'

const root = createRootRoute({ component: Frame })

/** One screen, loaded when somebody goes there. What it filters by stands in the address. */
function screen<
  Path extends ConsoleScreen,
  Name extends string,
  Search extends object = GivenSearch,
>(
  path: Path,
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
  readSearch: (given: GivenSearch) => Search = (given) => given as Search,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => loadScreen(load), name),
    validateSearch: readSearch,
  })
}

const routeTree = root.addChildren([
  screen('/console', () => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
  screen('/console/start', () => import('./screens/start/start-screen.tsx'), 'StartScreen'),
  screen('/console/keys', () => import('./screens/keys/keys-screen.tsx'), 'KeysScreen'),
  screen(
    '/console/playground',
    () => import('./screens/playground/playground-screen.tsx'),
    'PlaygroundScreen',
  ),
  screen(
    '/console/usage',
    () => import('./screens/usage/usage-screen.tsx'),
    'UsageScreen',
    readUsageSearch,
  ),
  screen(
    '/console/requests',
    () => import('./screens/requests/requests-screen.tsx'),
    'RequestsScreen',
    readRequestsSearch,
  ),
  screen(
    '/console/balance',
    () => import('./screens/balance/balance-screen.tsx'),
    'BalanceScreen',
    readBalanceSearch,
  ),
  screen('/console/limits', () => import('./screens/limits/limits-screen.tsx'), 'LimitsScreen'),
  screen('/console/members', () => import('./screens/members/members-screen.tsx'), 'MembersScreen'),
  screen(
    '/console/connected-apps',
    () => import('./screens/connected-apps/connected-apps-screen.tsx'),
    'ConnectedAppsScreen',
  ),
  screen(
    '/console/activity',
    () => import('./screens/activity/activity-screen.tsx'),
    'ActivityScreen',
    readActivitySearch,
  ),
  screen('/console/account', () => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
  screen(
    '/console/operator',
    () => import('./screens/operator/overview/overview-screen.tsx'),
    'OverviewScreen',
  ),
  screen(
    '/console/operator/accounts',
    () => import('./screens/operator/accounts/accounts-screen.tsx'),
    'AccountsScreen',
  ),
  screen(
    '/console/operator/accounts/$accountId',
    () => import('./screens/operator/account/operator-account-screen.tsx'),
    'OperatorAccountScreen',
  ),
  screen(
    '/console/operator/people',
    () => import('./screens/operator/people/people-screen.tsx'),
    'PeopleScreen',
  ),
  screen(
    '/console/operator/models',
    () => import('./screens/operator/models/models-screen.tsx'),
    'ModelsScreen',
  ),
  screen(
    '/console/operator/payments',
    () => import('./screens/operator/payments/payments-screen.tsx'),
    'PaymentsScreen',
  ),
  screen(
    '/console/operator/clients',
    () => import('./screens/operator/clients/clients-screen.tsx'),
    'ClientsScreen',
  ),
  screen(
    '/console/operator/books',
    () => import('./screens/operator/books/books-screen.tsx'),
    'BooksScreen',
  ),
  screen(
    '/console/operator/audit',
    () => import('./screens/operator/audit/audit-screen.tsx'),
    'AuditScreen',
  ),
])

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: () => <Skeleton lines={6} />,
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
