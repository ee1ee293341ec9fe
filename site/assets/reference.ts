import './reference.css'

interface Scalar {
  createApiReference(element: string, configuration: object): unknown
}

/** The file of Scalar is a script of the old kind: it leaves its one name on the window. */
const { Scalar } = globalThis as unknown as { readonly Scalar: Scalar }

Scalar.createApiReference('#reference', {
  url: '/v1/openapi.json',
  // By whichever name one came here: the page may ask nobody else.
  servers: [{ url: location.origin }],
  // Nothing is asked of anybody else: no fonts, no proxy, no figures, no assistant.
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'none',
  defaultOpenAllTags: false,
  authentication: { preferredSecurityScheme: 'api_key' },
})
