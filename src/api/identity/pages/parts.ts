import { html, type Content, type SafeHtml } from '#platform/html.ts'
import type { Words } from './languages.ts'

/** What is wrong with what was sent, as a sentence; of one field, or of all. */
export interface Problem {
  readonly field?: string
  readonly text: string
}

export interface Field {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autocomplete: string
  readonly value?: string
  readonly hint?: string
  readonly inputMode?: 'numeric'
  readonly isFirst?: boolean
}

/** A labelled field, with what is wrong with it tied to it. */
export function renderField(field: Field, problems: readonly Problem[], words: Words): SafeHtml {
  const { name, label, hint, type = 'text' } = field
  const problem = problems.find((one) => one.field === name)
  const input = html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    autocomplete="${field.autocomplete}"
    required
    ${listAttributes(field, problem, problems.length === 0)}
  />`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${problem && html`<p class="problem" id="${name}-problem">${problem.text}</p>`}
    ${type === 'password' ? renderRevealable(name, input, words) : input}
  </div>`
}

/** Where something is wrong, the focus is on what tells of it, not on a field. */
function listAttributes(field: Field, problem: Problem | undefined, isFlawless: boolean): Content {
  const { name, value, type, hint, inputMode, isFirst } = field
  const ids = [hint !== undefined && `${name}-hint`, problem && `${name}-problem`].filter(Boolean)
  return [
    value !== undefined && html` value="${value}"`,
    type !== 'password' && html` spellcheck="false" autocapitalize="none"`,
    inputMode && html` inputmode="${inputMode}"`,
    isFirst && isFlawless && html` autofocus`,
    problem && html` aria-invalid="true"`,
    ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`,
  ]
}

/** The button needs a script, which shows it. */
function renderRevealable(name: string, input: SafeHtml, { common }: Words): SafeHtml {
  return html`<div class="revealable">
      ${input}<button
        type="button"
        class="reveal"
        hidden
        data-reveal="${name}"
        data-show="${common.show}"
        data-hide="${common.hide}"
        data-shown="${common.passwordShown}"
        data-hidden="${common.passwordHidden}"
        aria-controls="${name}"
        aria-label="${common.showPassword}"
      >
        ${common.show}
      </button>
    </div>
    <p class="unseen" role="status" data-reveal-status="${name}"></p>`
}

/** All that is wrong, ahead of the form. It has the focus once the page is there, without a script. */
export function renderProblems(
  problems: readonly Problem[],
  { common }: Words,
): SafeHtml | undefined {
  if (problems.length === 0) return undefined
  const items = problems.map(({ field, text }) =>
    field === undefined ? html`<li>${text}</li>` : html`<li><a href="#${field}">${text}</a></li>`,
  )
  return html`<div class="problems" role="alert" tabindex="-1" autofocus aria-labelledby="problems">
    <h2 id="problems">${common.problemsTitle}</h2>
    <ul>
      ${items}
    </ul>
  </div>`
}

/** Something that went well, or that is good to know. */
export function renderNotice(text: string | undefined): SafeHtml | undefined {
  return text === undefined ? undefined : html`<p class="notice" role="status">${text}</p>`
}

/** The text of a notice that an address names; undefined for what is none. */
export function findNotice(
  notices: Readonly<Record<string, string>>,
  name: string | null,
): string | undefined {
  return name !== null && Object.hasOwn(notices, name) ? notices[name] : undefined
}

export function renderSubmit(label: string): SafeHtml {
  return html`<button type="submit" class="main-action">${label}</button>`
}

/** Names and what they are, a row each. */
export function renderFacts(rows: readonly (readonly [name: string, value: Content])[]): SafeHtml {
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}
