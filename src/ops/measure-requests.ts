import type { FastifyInstance } from 'fastify'
import { isBrand } from '#models/index.ts'
import type { Metrics } from './metrics.ts'

/** Counts every request once it is answered, by what it was answered with. */
export function measureRequests(server: FastifyInstance, { requests }: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { url = '' } = request.routeOptions
    requests.inc({
      surface: nameSurface(url),
      brand: nameBrand(request.params),
      status: reply.statusCode,
      code: request.faultCode ?? '',
    })
    done()
  })
}

/** By the route, never by the address: whatever is typed there is one of these. */
function nameSurface(route: string): string {
  if (route.startsWith('/v1/')) return 'v1'
  if (route.startsWith('/operator/')) return 'operator'
  if (route.startsWith('/console/api/')) return 'console'
  return route === '' ? 'none' : 'pages'
}

function nameBrand(params: unknown): string {
  const { brand } = (params ?? {}) as { readonly brand?: unknown }
  return typeof brand === 'string' && isBrand(brand) ? brand : ''
}
