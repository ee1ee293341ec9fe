import { readFileSync } from 'node:fs'
import { html, toText } from '#platform/html.ts'
import type { Assets } from './assets.ts'
import { ROOT } from './list-pages.ts'

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>
}

/** The API reference: Scalar over the document that the service serves. A list without script. */
export function renderReference(assets: Assets): string {
  const { paths } = JSON.parse(readFileSync(`${ROOT}openapi.json`, 'utf8')) as OpenApi
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary = '' }]) => ({ path, method, summary })),
  )
  return toText(
    html`<!doctype html>
      <html lang="en-GB">
        <head>
          <meta charset="utf-8" />
          <title>API reference – Parley</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta
            name="description"
            content="Every operation of the service, with its parameters, replies and errors."
          />
          <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
          <link rel="stylesheet" href="${assets.referenceStyle}" />
          <script src="${assets.scalar}" defer></script>
          <script type="module" src="${assets.reference}"></script>
        </head>
        <body>
          <header class="reference-top">
            <a href="/docs">Documentation</a>
            <h1>API reference</h1>
            <a href="/v1/openapi.json">OpenAPI document</a>
          </header>
          <main>
            <div id="reference"></div>
            <noscript>
              <p>
                The reference needs JavaScript. These are the operations; the
                <a href="/v1/openapi.json">OpenAPI document</a> has all of each.
              </p>
              <ul>
                ${operations.map(
                  ({ method, path, summary }) =>
                    html`<li><code>${method.toUpperCase()} ${path}</code> ${summary}</li>`,
                )}
              </ul>
            </noscript>
          </main>
        </body>
      </html> `,
  )
}
