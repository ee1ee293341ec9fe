import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html, toText, type Content } from './html.ts'

test('a text stays a text, in an element and in a quoted attribute', () => {
  const text = `<script>'"&`
  const page = html`<p title="${text}">${text}</p>`
  const escaped = '&lt;script&gt;&#39;&quot;&amp;'
  assert.equal(toText(page), `<p title="${escaped}">${escaped}</p>`)
})

test('markup in markup is escaped once: its texts, and nothing of its own', () => {
  const inner = html`<b>${'a & b'}</b>`
  assert.equal(
    toText(html`<p>${inner}${[inner, 'c<']}</p>`),
    ['<p><b>a &amp; b</b><b>a &amp; b</b>c&lt;</p>'].join(''),
  )
})

test('what is absent is nothing, and a zero is a zero', () => {
  assert.equal(toText(html`${undefined}${false}${[]}${0}`), '0')
})

test('an object that only looks like markup is not taken for it', () => {
  const posed = JSON.parse('{"markup":"<b>","Symbol(markup)":"<b>"}') as Content
  assert.ok(!toText(html`${posed}`).includes('<b>'))
})

test('backslashes and what looks like a placeholder are left as they are', () => {
  assert.equal(toText(html`<p>${'\\n $& $1'}</p>`), '<p>\\n $&amp; $1</p>')
})
