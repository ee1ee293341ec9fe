import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { ConsoleScreen } from '#api/contract/index.ts'
import { ErrorScreen } from './frame/error-screen.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFoundScreen } from './frame/not-found-screen.tsx'
import { Skeleton } from './parts/states.tsx'

const root = createRootRoute({ component: Frame })

/** One screen, loaded when somebody goes there. */
function screen<Path extends ConsoleScreen, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, name),
  })
}

const routeTree = root.addChildren([
  screen('/console', () => import('./screens/home/home-screen.tsx'), 'HomeScreen'),
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
